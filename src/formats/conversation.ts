// The conversation that a request belongs to, as its format tells it.
import type { JsonObject } from "../core/json.ts";

/** Takes in how a conversation begins, which is the same in all its requests. */
export interface ConversationOpening {
  /** A further text of the system prompt. */
  instruct(text: string): void;
  /** A further text of what the user says before anybody answers. */
  say(text: string): void;
}

export interface ConversationSide {
  /** The client's own name of it in the body; null where it gives none. */
  id(body: JsonObject): string | null;
  open(body: JsonObject, opening: ConversationOpening): void;
}
