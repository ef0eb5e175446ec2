// Accounts as they go over the wire.
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema, moneySchema, rateFields, roleSchema } from "../contract/basics.ts";

const selfFields = {
  id: text(),
  username: text(),
  role: roleSchema,
  group: text(),
  /** What is available; null when unlimited. */
  quota_micros: orNull(moneySchema),
  held_micros: moneySchema,
  used_micros: moneySchema,
};

export const SelfView = Type.Object({
  ...selfFields,
  display_name: orNull(text("What one is called.")),
  language: orNull(
    Type.Unsafe<"en" | "zh">({ ...word("en", "zh"), description: "Of the console." }),
  ),
  zone: orNull(text("The time zone, by its IANA name.")),
  low_balance_micros: orNull(
    Type.Integer({ description: "The console warns below it, and notice_url is told." }),
  ),
  notice_url: orNull(text("Is told when the balance or a key is low.")),
});
export type SelfView = Static<typeof SelfView>;

export const UserView = Type.Object({
  ...selfFields,
  status: word("enabled", "disabled", "waiting"),
  created_at: momentSchema,
  ...rateFields,
});
export type UserView = Static<typeof UserView>;

export const CreditView = Type.Object({
  id: text(),
  /** What was given, or taken. */
  micros: moneySchema,
  /** It was booked by an earlier call with the same id, and not again. */
  repeated: Type.Boolean(),
  /** When it was booked, be it by this call or by the earlier one. */
  booked_at: momentSchema,
  quota_micros: orNull(moneySchema),
});
export type CreditView = Static<typeof CreditView>;
