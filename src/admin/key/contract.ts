// API keys as they go over the wire.
import { orNull, text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { moment, money, rateFields, status } from "../contract/basics.ts";

const keyFields = {
  id: text(),
  name: text(),
  shown: text("Enough to recognise the key by."),
  account: text("The user name of the account that pays."),
  group: text(),
  unlimited: Type.Boolean(),
  /** What it may spend in all; null when unlimited. */
  quota_micros: orNull(money),
  used_micros: money,
  held_micros: money,
  models: orNull(Type.Array(text())),
  expires_at: orNull(moment),
  allow_ips: orNull(Type.Array(text())),
  status,
  declared: Type.Boolean(),
  created_at: moment,
  ...rateFields,
};

export const KeyView = Type.Object(keyFields);
export type KeyView = Static<typeof KeyView>;

export const CreatedKey = Type.Object({
  ...keyFields,
  key: text("The full text, shown this once."),
});
export type CreatedKey = Static<typeof CreatedKey>;
