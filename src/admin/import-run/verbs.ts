// Imports that the gateway runs by itself: each call with its function.
import { bind } from "../bind.ts";
import { importRunCalls } from "./contract.ts";
import { readImportRuns, removeImports, startImportRun, uploadImport } from "./runs.ts";

export const importRunVerbs = bind(importRunCalls, {
  read: readImportRuns,
  start: startImportRun,
  upload: uploadImport,
  remove: removeImports,
});
