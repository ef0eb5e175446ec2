// Sessions as they go over the wire.
import { text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { moment } from "../contract/basics.ts";

export const SessionView = Type.Object({
  id: text(),
  /** The one that this list was asked for in. */
  current: Type.Boolean(),
  /** From where and with which browser it was opened. */
  ip: text(),
  agent: text(),
  created_at: moment,
  last_used_at: moment,
  /** If it is not used again until then. */
  expires_at: moment,
});
export type SessionView = Static<typeof SessionView>;
