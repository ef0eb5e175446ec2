// Captures of requests: each call with its function.
import { bind } from "../bind.ts";
import { readCaptured, readOwnCaptured } from "./content.ts";
import { captureCalls } from "./contract.ts";
import { createCapture } from "./create.ts";
import { listCaptures } from "./list.ts";
import { removeCapture } from "./remove.ts";

export const captureVerbs = bind(captureCalls, {
  list: listCaptures,
  create: createCapture,
  remove: removeCapture,
  readOwn: readOwnCaptured,
  read: readCaptured,
});
