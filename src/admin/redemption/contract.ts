// Codes for credit as they go over the wire.
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema, moneySchema } from "../contract/basics.ts";

export const redemptionStatuses = ["open", "expired", "redeemed"] as const;

const redemptionFields = {
  id: text(),
  shown: text("Enough to recognise the code by."),
  name: text(),
  micros: moneySchema,
  status: word(...redemptionStatuses),
  expires_at: orNull(momentSchema),
  created_at: momentSchema,
  /** The user name of who redeemed it. */
  redeemed_by: orNull(text()),
  redeemed_at: orNull(momentSchema),
};

/** A code that is worth credit, once. */
export const RedemptionView = Type.Object(redemptionFields);
export type RedemptionView = Static<typeof RedemptionView>;

export const CreatedRedemption = Type.Object({
  ...redemptionFields,
  code: text("The full text, shown this once."),
});
export type CreatedRedemption = Static<typeof CreatedRedemption>;

/** What it was worth, and what there is now. */
export const RedeemedView = Type.Object({ micros: moneySchema, quota_micros: orNull(moneySchema) });
export type RedeemedView = Static<typeof RedeemedView>;
