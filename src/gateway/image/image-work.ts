// A request for images while it is worked on, and the parts it is worked on with.
import type { Clock } from "../../core/clock.ts";
import type { JsonObject } from "../../core/json.ts";
import type { UsageDoubtNeeds } from "../../distribution/doubts.ts";
import type { ImageJob } from "../../families/image-job.ts";
import type { Ledger, Reservation } from "../../quota/ledger.ts";
import type { AttemptNeeds } from "../attempt.ts";
import type { OpenCall } from "../open-call.ts";
import type { Disconnect, ReadOn } from "../stream/read-on.ts";
import type { DeliverNeeds, Delivery } from "./deliver.ts";
import type { HoldNeeds } from "./held/texts.ts";
import type { OpenedImage, OpenImageNeeds } from "./open-image.ts";
import type { RenderImages } from "./render-image.ts";
import type { RunImageNeeds } from "./run-image.ts";

export interface TryImageNeeds {
  running: RunImageNeeds;
  delivering: DeliverNeeds;
  holding: HoldNeeds;
}

export interface ImageNeeds {
  clock: Clock;
  ledger: Ledger;
  doubts: UsageDoubtNeeds;
  readOn: ReadOn;
  opening: OpenImageNeeds;
  attempts: AttemptNeeds;
  trying: TryImageNeeds;
}

export interface ImageInput {
  /** The address at which the client called us, for its links; null where that cannot be told. */
  address: string | null;
  call: OpenCall;
  kind: ImageJob["kind"];
  /** The body came as a form. */
  isForm: boolean;
  body: JsonObject;
  /** Absent where the answer is in OpenAI's words. */
  render?: RenderImages;
}

/** A request that has its hold. */
export interface ImageWork {
  input: ImageInput;
  job: ImageJob;
  delivery: Delivery;
  opened: OpenedImage;
  reservation: Reservation;
  disconnect: Disconnect;
}
