// A stream of text on its way to the client.
import type { JsonObject } from "../../../core/json.ts";
import { zeroMicros, type Micros } from "../../../core/money.ts";
import type { Observed } from "../../../formats/format.ts";
import type { Usage } from "../../../formats/usage.ts";
import type { Pump } from "../../stream/pump.ts";

/** The charge of a request, and how much less that is than without what the cache read. */
export interface Bill {
  charged: Micros;
  saved: Micros;
}

export const noBill: Bill = { charged: zeroMicros, saved: zeroMicros };

export interface TextPump extends Pump {
  observed(): Observed;
  /** Bytes that follow the last piece of a whole stream; called once, when its charge is known. */
  finish?(usage: Usage | null, bill: Bill): Uint8Array;
  /** The reply where no vendor keeps it and it is remembered, as far as it has come. */
  unstored?(): JsonObject | null;
}
