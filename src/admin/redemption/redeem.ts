// A code for credit. Its use and the money are one record of the journal, so whatever happens in
// between, a code is used and credited, or neither.
import { GatewayError, invalid } from "../../core/errors.ts";
import { micros } from "../../core/money.ts";
import type { Operator } from "../../identity/caller.ts";
import { digest, readSpelt } from "../../identity/secrets.ts";
import { joinedEntry, personOf } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import type { RedeemedView, RedemptionCalls } from "./contract.ts";
import type { RedemptionNeeds } from "./needs.ts";
import { hasRoomFor } from "../user/grant.ts";
import { viewAccount } from "../user/read.ts";
import { findRedemption, redemptionStep, type RedemptionRow } from "./queries.ts";
import { redemptionStatus } from "./view.ts";

/**
 * A code that is not there, one that somebody else used and one that expired are told in the same
 * words. Who used it knows it.
 */
export async function redeem(
  needs: RedemptionNeeds,
  operator: Operator,
  { body: { code } }: InputOf<RedemptionCalls["redeem"]>,
): Promise<RedeemedView> {
  const guess = needs.guesses.begin(`redeem ${operator.accountId}`, operator.ip ?? "");
  let moved: number | null;
  try {
    moved = await exclusively(needs, "credits", async () => {
      const row = await find(needs, code);
      if (row?.redeemed_by === operator.accountId) throw usedByYou();
      const isOpen = row !== null && redemptionStatus(row, needs.clock.nowMs()) === "open";
      if (isOpen) assertNotOwnCode(operator, row);
      return isOpen ? await credit(needs, operator, row) : null;
    });
  } catch (error) {
    guess.undo();
    throw error;
  }
  if (moved === null) throw invalid("code", "is not one that can be redeemed.");
  guess.right();
  const { quota_micros } = await viewAccount(needs, operator.accountId);
  return { micros: moved, quota_micros };
}

function usedByYou(): GatewayError {
  return new GatewayError("conflict", {
    param: "code",
    message: "You have used this code already.",
  });
}

/** Root alone credits its own account; a code must not be the way around that. */
function assertNotOwnCode(operator: Operator, { created_by: makerId }: RedemptionRow): void {
  if (operator.accountId !== makerId || operator.role === "root") return;
  const message = "You made this code, and nobody credits their own account. Give it to another.";
  throw new GatewayError("permission_denied", { param: "code", message });
}

async function find(
  { store, database }: RedemptionNeeds,
  code: string,
): Promise<RedemptionRow | null> {
  const plain = readSpelt(code);
  if (plain === null) return null;
  await store.applied();
  return await findRedemption(database, digest(plain));
}

async function credit(
  needs: RedemptionNeeds,
  operator: Operator,
  { id, micros: worth, name }: RedemptionRow,
): Promise<number> {
  const account = existing(await needs.balances.account(operator.accountId));
  if (!hasRoomFor(account, worth)) {
    throw new GatewayError("conflict", { message: "The account can hold no more." });
  }
  return await needs.ledger.grant({
    id: `redemption_${id}`,
    account,
    micros: micros(worth),
    reason: `redemption ${name}`,
    actor: personOf(operator).username,
    joined: (moved) => [
      redemptionStep.listed({
        id,
        redeemed_by: account.id,
        redeemed_at_ms: needs.clock.nowMs(),
      }),
      joinedEntry(needs, operator, {
        action: "redemption.redeem",
        target: id,
        changes: { account: account.id, micros: moved },
      }),
    ],
  });
}
