// Codes for credit as they go over the wire, and their calls.
import { labelName, momentField } from "../../config/fields.ts";
import { orNull, text, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { owners } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, moneySchema, removed } from "../contract/basics.ts";
import { byName } from "../search.ts";
import { creditMicrosMax } from "../user/fields.ts";

const statusWord = word("open", "expired", "redeemed");

const redemptionFields = {
  id: text(),
  shown: text("Enough to recognise the code by."),
  name: text(),
  micros: moneySchema,
  status: statusWord,
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

/** Worth of the code, and the balance after it. */
export const RedeemedView = Type.Object({ micros: moneySchema, quota_micros: orNull(moneySchema) });
export type RedeemedView = Static<typeof RedeemedView>;

const RedemptionInput = Type.Object(
  {
    name: labelName("What the codes are for."),
    micros: Type.Integer({ minimum: 1, maximum: creditMicrosMax }),
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    expires_at: Type.Optional(momentField("When they stop working.")),
  },
  { additionalProperties: false },
);

const RedeemInput = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 256 }) },
  { additionalProperties: false },
);

const { call, list } = callsOf("Redemption codes");

export const redemptionCalls = {
  list: list("GET /api/redemption", "List redemption codes", {
    permission: "money.read",
    item: RedemptionView,
    filter: { ...byName, status: { schema: statusWord } },
  }),
  create: call("POST /api/redemption", "Create redemption codes", {
    permission: "money.write",
    description: "The answer is the only time that they are seen.",
    body: bodyOf(RedemptionInput, { name: "November", micros: 1_000_000, count: 2 }),
    answer: Type.Object({ items: Type.Array(CreatedRedemption) }),
  }),
  remove: call("DELETE /api/redemption/{id}", "Delete a redemption code", {
    permission: "money.write",
    answer: removed,
  }),
  redeem: call("POST /api/redemption/redeem", "Redeem a code", {
    seats: owners,
    body: bodyOf(RedeemInput, { code: "rc-example" }),
    answer: RedeemedView,
  }),
};
export type RedemptionCalls = typeof redemptionCalls;
