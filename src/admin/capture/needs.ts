// Needs of the verbs of captured requests.
import type { Seal } from "../../core/seal.ts";
import type { Captures } from "../../observe/capture/captures.ts";
import type { Channels } from "../../distribution/channels.ts";
import type { NotingNeeds } from "../audit/entry.ts";

export interface CaptureNeeds extends NotingNeeds {
  seal: Seal;
  channels: Pick<Channels, "all" | "candidates">;
  captures: Pick<Captures, "reload">;
}

export const captureTopic = "captures";
export const captureIdPrefix = "cap_";
