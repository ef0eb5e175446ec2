// API keys as they go over the wire.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema, moneySchema, rateFields, statusSchema } from "../contract/basics.ts";

const keyFields = {
  id: text(),
  name: text(),
  shown: text("Enough to recognise the key by."),
  account: text("The user name of the account that pays."),
  group: text(),
  group_is_own: Type.Boolean({
    description: "Set for the key itself; otherwise it follows the group of its account.",
  }),
  unlimited: Type.Boolean(),
  /** What it may spend in all; null when unlimited. */
  quota_micros: orNull(moneySchema),
  used_micros: moneySchema,
  held_micros: moneySchema,
  models: orNull(Type.Array(text())),
  expires_at: orNull(momentSchema),
  allow_ips: orNull(Type.Array(text())),
  log_content: Type.Boolean({
    description: "Its prompts and answers are kept, where the gateway keeps any.",
  }),
  status: statusSchema,
  declared: Type.Boolean(),
  created_at: momentSchema,
  /** Null where it never was. */
  last_used_at: orNull(momentSchema),
  previous_until: orNull(whole("Until when the text before its rotation works, in Unix seconds.")),
  rates_now: orNull(
    Type.Object(
      {
        requests: whole("Taken of its requests per minute."),
        tokens: whole("Taken of its tokens per minute."),
        in_flight: whole(),
      },
      { description: "What is taken of its limits now; null where it was not seen lately." },
    ),
  ),
  ...rateFields,
};

export const KeyView = Type.Object(keyFields);
export type KeyView = Static<typeof KeyView>;

export const CreatedKey = Type.Object({
  ...keyFields,
  key: text("The full text, shown this once."),
});
export type CreatedKey = Static<typeof CreatedKey>;

export const SessionKey = Type.Object({
  id: text(),
  key: text("The full text, shown this once."),
  expires_at: momentSchema,
});
export type SessionKey = Static<typeof SessionKey>;
