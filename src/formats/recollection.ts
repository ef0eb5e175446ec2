// Replies that no vendor keeps, for a later request to build on.
import type { Json, JsonObject } from "../core/json.ts";

/** Names by which later requests may call a reply and its parts. */
export interface KeptNames {
  id: string;
  itemIds: string[];
}

/** A reply in the pieces that later requests ask for. */
export interface KeptReply {
  id: string;
  /** The reply without its items. */
  head: JsonObject;
  /** Its items, each with an id of its own. */
  items: JsonObject[];
  /** Everything that was said before it; null when that was more than is remembered. */
  input: Json[] | null;
}

/** Memory of earlier replies to the account that asks. */
export interface Recollection {
  findItem(id: string): JsonObject | null;
  /** The conversation up to a reply, and the reply; null when it is not known. */
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
