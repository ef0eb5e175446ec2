// Makes codes for credit.
import { momentField, name } from "../../config/fields.ts";
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith, Type } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { createRedemptionCode, digest, readSpelt } from "../../identity/secrets.ts";
import { noting } from "../audit/entry.ts";
import type { CreatedRedemption } from "../contract.ts";
import { readExpiry } from "../moments.ts";
import type { RedemptionNeeds } from "./needs.ts";
import { creditMicrosMax } from "../user/fields.ts";
import { insertRedemptions, type RedemptionRow } from "./queries.ts";
import { toView } from "./view.ts";

const countMax = 1000;
const shownCharacters = 5;

export const redemptionChecker = compile(
  Type.Object(
    {
      name: name("What the codes are for."),
      micros: Type.Integer({ minimum: 1, maximum: creditMicrosMax }),
      count: Type.Optional(Type.Integer({ minimum: 1, maximum: countMax })),
      expires_at: Type.Optional(momentField("When they stop working.")),
    },
    { additionalProperties: false },
  ),
);

/** The answer is the only time that the codes are seen. */
export async function createRedemptions(
  needs: RedemptionNeeds,
  operator: Operator,
  body: JsonObject,
): Promise<{ items: CreatedRedemption[] }> {
  const { count = 1, expires_at, ...worth } = parseWith(redemptionChecker, body);
  const expiresAtMs = expires_at === undefined ? null : readExpiry(needs, expires_at) * 1000;
  const facts = { ...worth, expires_at_ms: expiresAtMs, created_by: operator.accountId };
  const codes = Array.from({ length: count }, () => makeCode(needs, facts));
  const [first, last] = [codes[0]?.row.id ?? "", codes.at(-1)?.row.id ?? ""];
  const changes = { ...worth, count, last, ...(expires_at !== undefined && { expires_at }) };
  const note = { action: "redemption.create", target: first, changes } as const;
  const rows = codes.map(({ row }) => row);
  await insertRedemptions(noting(needs, operator, note).database, rows);
  const nowMs = needs.clock.nowMs();
  return {
    items: codes.map(({ row, code }) => ({ ...toView({ ...row, username: null }, nowMs), code })),
  };
}

type Facts = Pick<RedemptionRow, "name" | "micros" | "expires_at_ms" | "created_by">;

function makeCode({ random, ids, clock }: RedemptionNeeds, facts: Facts) {
  const code = createRedemptionCode(random);
  const row: RedemptionRow = {
    ...facts,
    id: ids.redemption(),
    hash: digest(readSpelt(code) ?? code),
    shown: `${code.slice(0, shownCharacters)}…`,
    created_at_ms: clock.nowMs(),
    redeemed_by: null,
    redeemed_at_ms: null,
  };
  return { row, code };
}
