// A reply as it is remembered, with what it answers.
import type { AccountId } from "../../../core/ids.ts";

/** JSON as bytes, which unlike objects take as much memory as they are long. */
export interface KeptBytes {
  /** Null when the two are too much together. */
  request: Uint8Array | null;
  reply: Uint8Array;
}

/** With the person it was made for; null where a node of an earlier version has kept it. */
export interface AskedReply extends KeptBytes {
  askerId: AccountId | null;
}
