// An account as it is shown, with its balance.
import type { ListedAccount } from "../../identity/queries.ts";
import type { AccountBalance } from "../../quota/balance.ts";
import type { UserView } from "./contract.ts";
import { toSeconds } from "../input.ts";
import type { UserViewNeeds } from "./needs.ts";

/** The balance is the one that admission works with: the database's is a moment behind. */
export async function viewRow({ balances }: UserViewNeeds, row: ListedAccount): Promise<UserView> {
  return toView(row, await balances.account(row.id));
}

function toView(row: ListedAccount, balance: AccountBalance | null): UserView {
  return {
    id: row.id,
    username: row.username,
    role: row.role,
    group: row.group_name,
    status: row.waits_since_ms !== null && row.status === "enabled" ? "waiting" : row.status,
    quota_micros: row.unlimited === 1 ? null : (balance?.availableMicros ?? 0),
    held_micros: balance?.heldMicros ?? 0,
    used_micros: balance?.spentMicros ?? 0,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    concurrency: row.concurrency,
    created_at: toSeconds(row.created_at_ms),
  };
}
