// The sum of an account: each term of its equation, and what its own lines come to.
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount } from "../../identity/queries.ts";
import type { BalanceView } from "./contract.ts";
import { existing, readAccountId } from "../input.ts";
import type { AccountSums, BooksNeeds } from "./needs.ts";

export async function readBalance(
  needs: BooksNeeds,
  _operator: Operator,
  { id }: { id: string },
): Promise<BalanceView> {
  return await view(needs, readAccountId(id));
}

export async function readOwnBalance(needs: BooksNeeds, operator: Operator): Promise<BalanceView> {
  return await view(needs, operator.accountId);
}

async function view({ records, books }: BooksNeeds, id: AccountId): Promise<BalanceView> {
  const { database, ledger, store } = records;
  const { username } = existing(await findAccount(database, id));
  await ledger.settled();
  await store.applied();
  const quick = existing(await books.sums(id));
  // Nobody is told of a fault that only the memory of the last look may have.
  const sums = addsUp(quick) ? quick : existing(await books.sums(id, true));
  const shown = ({ count, micros }: AccountSums["grants"]) => ({ count, micros });
  return {
    account: username,
    unlimited: sums.isUnlimited,
    granted_micros: sums.grantedMicros,
    available_micros: sums.availableMicros,
    held_micros: sums.heldMicros,
    spent_micros: sums.spentMicros,
    adds_up: addsUp(sums),
    grants: shown(sums.grants),
    posts: shown(sums.posts),
    voids: { count: sums.voids.count, micros: sums.voids.heldMicros },
    holds: shown(sums.holds),
  };
}

function addsUp(sums: AccountSums): boolean {
  const { grantedMicros, availableMicros, heldMicros, spentMicros } = sums;
  return (
    grantedMicros === availableMicros + heldMicros + spentMicros &&
    grantedMicros === sums.grants.micros &&
    heldMicros === sums.holds.micros &&
    spentMicros === sums.posts.micros
  );
}
