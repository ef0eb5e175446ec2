// Makes codes for credit.
import type { Operator } from "../../identity/caller.ts";
import { createRedemptionCode, digest, readSpelt } from "../../identity/secrets.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { readExpiry } from "../moments.ts";
import type { CreatedRedemption, RedemptionCalls } from "./contract.ts";
import type { RedemptionNeeds } from "./needs.ts";
import { insertRedemptions, type RedemptionRow } from "./queries.ts";
import { toView } from "./view.ts";

const shownCharacters = 5;

/** The answer is the only time that the codes are seen. */
export async function createRedemptions(
  needs: RedemptionNeeds,
  operator: Operator,
  { body }: InputOf<RedemptionCalls["create"]>,
): Promise<{ items: CreatedRedemption[] }> {
  const { count = 1, expires_at, ...worth } = body;
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
