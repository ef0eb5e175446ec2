// Accounts as they go over the wire.
import { orNull, text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { moment, money, rateFields, role, status } from "../contract/basics.ts";

const selfFields = {
  id: text(),
  username: text(),
  role,
  group: text(),
  /** What is available; null when unlimited. */
  quota_micros: orNull(money),
  held_micros: money,
  used_micros: money,
};

export const SelfView = Type.Object(selfFields);
export type SelfView = Static<typeof SelfView>;

export const UserView = Type.Object({
  ...selfFields,
  status,
  created_at: moment,
  ...rateFields,
});
export type UserView = Static<typeof UserView>;

export const CreditView = Type.Object({
  id: text(),
  /** What was given, or taken. */
  micros: money,
  quota_micros: orNull(money),
});
export type CreditView = Static<typeof CreditView>;
