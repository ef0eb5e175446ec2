// What a later request may build on: replies that no vendor keeps.
import type { Json, JsonObject } from "../core/json.ts";

/** By what later requests may name a reply and its parts. */
export interface KeptNames {
  id: string;
  itemIds: string[];
}

/** A reply in the pieces that later requests ask for. */
export interface KeptReply {
  id: string;
  /** The reply without its items. */
  head: JsonObject;
  /** What it is made of, each with an id of its own. */
  items: JsonObject[];
  /** Everything that was said before it; null when that was more than is remembered. */
  input: Json[] | null;
}

/** What is remembered of earlier replies to the account that asks. */
export interface Recollection {
  findItem(id: string): JsonObject | null;
  /** What was said up to a reply and in it; null when it is not known. */
  findConversation(replyId: string): Json[] | null;
}

/** A request with everything that it refers to in its place. */
export interface Recalled {
  body: JsonObject;
  earlier: Earlier | null;
}

/** The conversation that a request goes on with, which now stands before its own input. */
export interface Earlier {
  replyId: string;
  itemCount: number;
}
