// A stream of text on its way to the client.
import type { JsonObject } from "../../../core/json.ts";
import type { Observed } from "../../../formats/format.ts";
import type { Usage } from "../../../formats/usage.ts";
import type { Bill } from "../../bill.ts";
import type { Pump } from "../../stream/pump.ts";

export interface TextPump extends Pump {
  observed(): Observed;
  /** Bytes that follow the last piece of a whole stream; called once, when its charge is known. */
  finish?(usage: Usage | null, bill: Bill): Uint8Array;
  /** The reply where no vendor keeps it and it is remembered, as far as it has come. */
  unstored?(): JsonObject | null;
}
