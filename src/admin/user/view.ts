// An account as it is shown, with its balance.
import { findEmail, readEmails, type EmailRow } from "../../identity/email/queries.ts";
import { readLastUses } from "../../identity/last-use/queries.ts";
import type { ListedAccount } from "../../identity/queries.ts";
import { roleOf } from "../../identity/roles/rights.ts";
import type { AccountBalance } from "../../quota/balance.ts";
import type { UserView } from "./contract.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import type { UserViewNeeds } from "./needs.ts";

/** The balance is the one that admission works with: the database's is a moment behind. */
export async function viewRow(
  { balances, database }: UserViewNeeds,
  row: ListedAccount,
): Promise<UserView> {
  const lasts = await readLastUses(database, [row.id]);
  const balance = await balances.account(row.id);
  return toView(row, balance, await findEmail(database, row.id), lasts.get(row.id));
}

export async function viewRows(
  { balances, database }: UserViewNeeds,
  rows: readonly ListedAccount[],
): Promise<UserView[]> {
  const ids = rows.map(({ id }) => id);
  const known = await balances.accounts(ids);
  const emails = await readEmails(database, ids);
  const lasts = await readLastUses(database, ids);
  return rows.map((row) =>
    toView(row, known.get(row.id) ?? null, emails.get(row.id) ?? null, lasts.get(row.id)),
  );
}

function toView(
  row: ListedAccount,
  balance: AccountBalance | null,
  email: EmailRow | null,
  lastMs = 0,
): UserView {
  return {
    id: row.id,
    kind: row.kind,
    username: row.username,
    role: roleOf(row),
    group: row.group_name,
    status: row.waits_since_ms !== null && row.status === "enabled" ? "waiting" : row.status,
    quota_micros: row.unlimited === 1 ? null : (balance?.availableMicros ?? 0),
    held_micros: balance?.heldMicros ?? 0,
    used_micros: balance?.spentMicros ?? 0,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    email: email?.address ?? null,
    email_pending: email?.pending ?? null,
    concurrency: row.concurrency,
    created_at: toSeconds(row.created_at_ms),
    last_used_at: toSecondsOrNull(lastMs || null),
  };
}
