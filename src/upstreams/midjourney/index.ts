// The midjourney-proxy dialect: one address for each thing to do, and tasks that are asked for.
import type { Upstream } from "../upstream.ts";
import { readFault } from "./errors.ts";
import { find, start, status } from "./img-f.ts";

export const midjourney: Upstream = {
  type: "midjourney",
  imgF: { start, status, find },
  readFault,
};
