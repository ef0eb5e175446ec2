// Every route of the table, and what the reference says of it.
import type { Operations } from "../operation.ts";
import { imageOperations } from "./images.ts";
import { operatingOperations } from "./operating.ts";
import { ownOperations } from "./own.ts";
import { recordOperations } from "./records.ts";
import { systemOperations } from "./system.ts";
import { textOperations } from "./text.ts";
import { mediaOperations, videoOperations } from "./videos.ts";

export const operations: Operations = {
  ...textOperations,
  ...imageOperations,
  ...videoOperations,
  ...mediaOperations,
  ...recordOperations,
  ...ownOperations,
  ...operatingOperations,
  ...systemOperations,
};
