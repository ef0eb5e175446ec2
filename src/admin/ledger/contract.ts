// Credits in the ledger as they go over the wire.
import { orNull, text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema, moneySchema } from "../contract/basics.ts";

const creditFields = {
  id: text("As it was sent with the credit, or made for it."),
  kind: Type.Literal("grant"),
  at: momentSchema,
  /** Below 0 where it was taken back. */
  micros: moneySchema,
  reason: orNull(text()),
};

/** Money that came or went by hand, by a code or at the beginning; requests are in the log. */
export const OwnLedgerView = Type.Object(creditFields);
export type OwnLedgerView = Static<typeof OwnLedgerView>;

export const LedgerView = Type.Object({
  ...creditFields,
  account: text("The user name of whose money it is."),
  actor: orNull(text("Who booked it.")),
});
export type LedgerView = Static<typeof LedgerView>;
