// Needs of the verbs of captured requests.
import type { Seal } from "../../core/seal.ts";
import type { Captures } from "../../observe/capture/captures.ts";
import type { NotingNeeds } from "../audit/entry.ts";
import type { RecordNeeds } from "../record-needs.ts";

export interface CaptureNeeds extends NotingNeeds, RecordNeeds {
  seal: Seal;
  captures: Pick<Captures, "reload">;
}

export const captureTopic = "captures";
export const captureIdPrefix = "cap_";
