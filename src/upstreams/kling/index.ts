// Kling: one address for each way to make a video, and the job is asked for where it was made.
import type { Upstream } from "../upstream.ts";
import { check } from "./check.ts";
import { readFault } from "./errors.ts";
import { find, start, status } from "./video.ts";
import { lacks } from "./request.ts";

export const kling: Upstream = {
  type: "kling",
  video: { lacks, start, status, find },
  check,
  readFault,
};
