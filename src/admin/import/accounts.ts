// Accounts from elsewhere, and what each has left: one grant, booked once under the account's id
// over there. Nothing is ever merged into an account that is here already.
import type { AccountId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { micros } from "../../core/money.ts";
import { compile, parseWith } from "../../core/schema.ts";
import { fromBase32 } from "../../identity/access/totp.ts";
import { insertOfTotp } from "../../identity/factors/queries.ts";
import { insertsOfOrganisation } from "../../identity/organisations/queries.ts";
import { insertsOfAccount, isNameTaken } from "../../identity/queries.ts";
import { findEntry } from "../../quota/queries.ts";
import { existing } from "../input.ts";
import { newAccount } from "../user/create.ts";
import { grantNoted, hasRoomFor } from "../user/grant.ts";
import { assertMayAddTo } from "./authority.ts";
import { ImportedAccount } from "./contract.ts";
import type { ImportBy, ImportNeeds, ImportOutcome } from "./needs.ts";
import { refused, writeRows } from "./rows.ts";

const accountChecker = compile(ImportedAccount);
/** A ledger's batch takes them together, and memory holds so many accounts at once. */
const grantsAtOnce = 100;

/** No request and no credit by hand has an id that begins so. */
export function grantPrefix(source: string): string {
  return `import_${source}_`;
}

export async function importAccounts(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<{ outcomes: ImportOutcome[]; grants: string[] }> {
  const names = new Set<string>();
  const { outcomes, ids } = await writeRows(needs, by, {
    kind: "accounts",
    rows,
    refField: "ref",
    make: async (row) =>
      await makeAccount(needs, by, { row: parseWith(accountChecker, row), names }),
  });
  const come = new Set(
    outcomes.filter(({ outcome }) => outcome !== "refused").map(({ ref }) => ref),
  );
  const paid = rows
    .filter(accountChecker.is)
    .filter(({ ref, micros: left }) => come.has(ref) && left > 0);
  return { outcomes, grants: await grantAll(needs, by, { rows: paid, ids }) };
}

async function makeAccount(
  needs: ImportNeeds,
  by: ImportBy,
  { row, names }: { row: ImportedAccount; names: Set<string> },
) {
  const { database, groups, secondFactors } = needs;
  const { username, role, group, status } = row;
  const folded = username.toLowerCase();
  if (names.has(folded) || (await isNameTaken(database, username))) {
    throw refused("There is already an account of that name.");
  }
  if (!groups.find(group)) throw refused(`There is no group ${group}.`);
  names.add(folded);
  const account = {
    ...newAccount(needs, { username, role, group }),
    kind: row.kind ?? "person",
    password_hash: row.password_hash,
    status,
    requests_per_minute: row.requests_per_minute,
    tokens_per_minute: row.tokens_per_minute,
    concurrency: row.concurrency,
  };
  if (row.created_at !== null && row.created_at > 0) account.created_at_ms = row.created_at * 1000;
  const isOrganisation = row.kind === "organisation";
  const queries = isOrganisation
    ? insertsOfOrganisation(database, account, {
        // The importer hands it over by an invitation, as every owner does.
        owner: ownerOf(needs, account.id, by),
        isUnlimited: row.unlimited,
      })
    : [...insertsOfAccount(database, account, row.unlimited)];
  const totp = row.totp === null ? null : fromBase32(row.totp);
  return {
    id: account.id,
    queries: totp
      ? [...queries, insertOfTotp(database, secondFactors.knownTotp(account.id, totp))]
      : queries,
    action: isOrganisation ? ("organisation.create" as const) : ("user.create" as const),
    changes: { username, role, group, status, unlimited: row.unlimited },
  };
}

function ownerOf({ clock }: ImportNeeds, organisation_id: AccountId, { operator }: ImportBy) {
  const seat = { role: "owner", source: "hand", project_id: null, keys_until_ms: null } as const;
  return {
    organisation_id,
    person_id: operator.accountId,
    ...seat,
    created_at_ms: clock.nowMs(),
  };
}

interface Paid {
  rows: readonly ImportedAccount[];
  ids: ReadonlyMap<string, string>;
}

/** Returns the ids of the entries that were booked now. */
async function grantAll(needs: ImportNeeds, by: ImportBy, { rows, ids }: Paid): Promise<string[]> {
  const { operator, source } = by;
  await needs.store.applied();
  const booked: string[] = [];
  const grantOne = async (row: ImportedAccount) => {
    const id = grantPrefix(source) + row.ref;
    if (await findEntry(needs.database, id)) return;
    const accountId = ids.get(row.ref) as AccountId;
    await assertMayAddTo(needs, by, accountId, "money.write");
    const account = existing(await needs.balances.account(accountId));
    if (!hasRoomFor(account, row.micros)) throw refused("That is more than an account can hold.");
    const reason = `imported from ${source}: the balance of ${row.ref}`;
    await grantNoted(needs, operator, { id, account, micros: micros(row.micros), reason });
    booked.push(id);
  };
  for (let at = 0; at < rows.length; at += grantsAtOnce) {
    await Promise.all(rows.slice(at, at + grantsAtOnce).map(grantOne));
  }
  await needs.store.applied();
  return booked;
}
