// An account as it is shown, with its balance.
import type { AccountId } from "../../core/ids.ts";
import { readEmails, type EmailRow } from "../../identity/email/queries.ts";
import { readLastUses } from "../../identity/last-use/queries.ts";
import { readSizes, type OrganisationSize } from "../../identity/organisations/queries.ts";
import type { ListedAccount } from "../../identity/queries.ts";
import { roleOf } from "../../identity/roles/rights.ts";
import type { AccountBalance } from "../../quota/balance.ts";
import type { Database } from "../../store/database.ts";
import type { UserView } from "./contract.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import type { UserViewNeeds } from "./needs.ts";

/** The balance is the one that admission works with: the database's is a moment behind. */
export async function viewRow(
  { balances, database }: UserViewNeeds,
  row: ListedAccount,
): Promise<UserView> {
  const balance = await balances.account(row.id);
  return toView(row, { ...(await readFacts(database, [row])), balance });
}

export async function viewRows(
  { balances, database }: UserViewNeeds,
  rows: readonly ListedAccount[],
): Promise<UserView[]> {
  const known = await balances.accounts(rows.map(({ id }) => id));
  const facts = await readFacts(database, rows);
  return rows.map((row) => toView(row, { ...facts, balance: known.get(row.id) ?? null }));
}

/** Facts that stand in tables beside the account's own, by its id. */
interface AccountFacts {
  emails: ReadonlyMap<AccountId, EmailRow>;
  lasts: ReadonlyMap<AccountId, number>;
  sizes: ReadonlyMap<AccountId, OrganisationSize>;
}

async function readFacts(
  database: Database,
  rows: readonly ListedAccount[],
): Promise<AccountFacts> {
  const ids = rows.map(({ id }) => id);
  const emails = await readEmails(database, ids);
  const lasts = await readLastUses(database, ids);
  return { emails, lasts, sizes: await readSizes(database, rows) };
}

function toView(
  row: ListedAccount,
  { balance, emails, lasts, sizes }: AccountFacts & { balance: AccountBalance | null },
): UserView {
  const email = emails.get(row.id);
  const size = sizes.get(row.id);
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
    last_used_at: toSecondsOrNull(lasts.get(row.id) || null),
    members: size?.members ?? null,
    projects: size?.projects ?? null,
  };
}
