// Sessions as they go over the wire.
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";

export const SessionView = Type.Object({
  id: text(),
  /** The one that this list was asked for in. */
  current: Type.Boolean(),
  /** From where and with which browser it was opened. */
  ip: text(),
  agent: text(),
  created_at: momentSchema,
  last_used_at: momentSchema,
  /** If it is not used again until then. */
  expires_at: momentSchema,
});
export type SessionView = Static<typeof SessionView>;

export const SignInLink = Type.Object({
  url: text("To be opened once in a browser; what follows `#link=` signs it in."),
  expires_at: momentSchema,
});
export type SignInLink = Static<typeof SignInLink>;
