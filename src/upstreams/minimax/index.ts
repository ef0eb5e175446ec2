// MiniMax in its second version: a list of contents, and a task that is asked for elsewhere than
// where it was made. It has no field for an id of ours, and no way to stop a task.
import type { Upstream } from "../upstream.ts";
import { check } from "./check.ts";
import { readFault } from "./errors.ts";
import { lacks } from "./request.ts";
import { start, status } from "./video.ts";

export const minimax: Upstream = {
  type: "minimax",
  video: { lacks, start, status },
  check,
  readFault,
};
