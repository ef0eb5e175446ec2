// Ark, which runs Seedance: a job is a task, and its parameters stand beside a list of contents.
import type { Upstream } from "../upstream.ts";
import { readFault } from "./errors.ts";
import { accepts, assetStatus, register } from "./registry.ts";
import { lacks } from "./request.ts";
import { cancel, find, start, status } from "./video.ts";

export const ark: Upstream = {
  type: "ark",
  video: { lacks, start, status, find, cancel },
  assets: { accepts, register, status: assetStatus },
  readFault,
};
