// What a request for images is while it is worked on, and what it is worked on with.
import type { JsonObject } from "../../core/json.ts";
import type { ImageJob } from "../../families/image-job.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Admission } from "../../limits/limiter.ts";
import type { Ledger, Reservation } from "../../quota/ledger.ts";
import type { AttemptParts, Progress } from "../attempt.ts";
import type { TextOutcome } from "../outcome.ts";
import type { Scope } from "../scope.ts";
import type { DeliverParts, Delivery } from "./deliver.ts";
import type { HoldParts } from "./held/texts.ts";
import type { OpenedImage, OpenImageParts } from "./open-image.ts";
import type { RunParts } from "./run-image.ts";

export interface TryImageParts extends RunParts, DeliverParts, HoldParts {}

export interface ImageParts extends AttemptParts, TryImageParts, OpenImageParts {
  ledger: Ledger;
}

export interface ImageCallIn {
  kind: ImageJob["kind"];
  /** The body came as a form. */
  isForm: boolean;
  body: JsonObject;
  caller: Caller;
  admission: Admission;
  scope: Scope;
  /** Called exactly once, when everything about the request is known. */
  ended(outcome: TextOutcome): void;
}

/** A request that has its hold. */
export interface ImageWork {
  call: ImageCallIn;
  job: ImageJob;
  delivery: Delivery;
  opened: OpenedImage;
  progress: Progress;
  reservation: Reservation;
}
