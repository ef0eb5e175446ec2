// The programs that people come from.
import type { ImportProgram } from "../../admin/import-run/contract.ts";
import type { SnapshotReader } from "./snapshot.ts";
import { liteLlm } from "./litellm/index.ts";
import { newApi } from "./new-api/index.ts";
import { oneApi } from "./one-api/index.ts";

export const importReaders: Readonly<Record<ImportProgram, SnapshotReader>> = {
  "new-api": newApi,
  "one-api": oneApi,
  litellm: liteLlm,
};
