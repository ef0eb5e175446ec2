// Ark, which runs Seedance, whose jobs are tasks with a list of contents, and Seedream, which
// answers when its images are done.
import type { Upstream } from "../upstream.ts";
import { check } from "./check.ts";
import { readFault } from "./errors.ts";
import { image } from "./image.ts";
import { accepts, assetStatus, registerAsset } from "./registry.ts";
import { lacks } from "./request.ts";
import { cancel, find, start, status } from "./video.ts";

export const ark: Upstream = {
  type: "ark",
  video: { lacks, start, status, find, cancel },
  image,
  assets: { accepts, register: registerAsset, status: assetStatus },
  check,
  readFault,
};
