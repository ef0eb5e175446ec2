// Reads the database of a program of this lineage.
import {
  counted,
  type ImportSnapshot,
  type SnapshotAccount,
  type SnapshotAsk,
  type SnapshotIdentity,
  type Remark,
} from "../snapshot.ts";
import { openTables, type SourceTables } from "../queries.ts";
import { announcementsOf } from "./announcements.ts";
import { readBindings } from "./bindings.ts";
import { readChannelRows } from "./channels.ts";
import { readCodes } from "./codes.ts";
import type { Lineage } from "./dialect.ts";
import { readOptions } from "./options.ts";
import { readRatios } from "./prices.ts";
import { configurationOf, groupsOf, remarksOf } from "./settings.ts";
import { readTokens } from "./tokens.ts";
import { readUsers } from "./users.ts";

export async function readLineage(
  { from, allowPrivate }: SnapshotAsk,
  dialect: Lineage,
): Promise<ImportSnapshot> {
  await using tables = openTables(from);
  if ((await tables.count("users")) === 0n) {
    throw new Error("the database has no users: is it that of the program you named?");
  }
  const options = await readOptions(tables);
  const users = await readUsers(tables, dialect, options);
  const bound = await readBindings(tables, users.accounts);
  const accounts = withWaysIn(users.accounts, bound.identities);
  const configuration = configurationOf(options, bound.sites);
  const tokens = await readTokens(tables, accounts, options);
  const upstreams = await readChannelRows(tables, dialect, allowPrivate);
  const { channels } = upstreams;
  const models = channels.flatMap(({ settings }) => settings.models);
  const priced = readRatios(options, dialect, models);
  const spelt = await readCodes(tables);
  return {
    unitsPerDollar: options.unitsPerDollar,
    groups: groupsOf(options, { accounts, keys: tokens.keys, channels }),
    accounts,
    keys: tokens.keys,
    channels,
    prices: priced.prices,
    unpriced: priced.unpriced,
    codes: spelt.codes,
    identities: [...users.identities, ...bound.identities],
    announcements: announcementsOf(options),
    totalUnits: await tables.sum("users", "quota"),
    leftUnits: users.leftUnits,
    configuration,
    remarks: [
      ...users.remarks,
      ...tokens.remarks,
      ...upstreams.remarks,
      ...priced.remarks,
      ...spelt.remarks,
      ...bound.remarks,
      ...remarksOf(options, configuration),
      ...(await remarksOfTables(tables)),
    ],
  };
}

function withWaysIn(
  accounts: readonly SnapshotAccount[],
  identities: readonly SnapshotIdentity[],
): SnapshotAccount[] {
  const linked = new Set(identities.map(({ owner }) => owner));
  return accounts.map((account) => ({
    ...account,
    hasOtherWayIn: account.hasOtherWayIn || linked.has(account.ref),
  }));
}

/** Tables that are left as they are. */
const leftTables = [
  ["logs", "rows of use stay where they are: balances come, their history does not"],
  ["passkey_credentials", "passkeys are bound to the old site; people make new ones"],
  ["two_fa_backup_codes", "paper codes do not come; people make new ones"],
  ["top_ups", "payments stay where they are; what they bought is in the balances"],
  ["user_subscriptions", "subscriptions are credit outside the balances, and do not come"],
  ["tasks", "tasks stay where they are: let open ones end before you move"],
  ["midjourneys", "tasks stay where they are: let open ones end before you move"],
] as const;

async function remarksOfTables(tables: SourceTables): Promise<Remark[]> {
  const remarks: Remark[] = [];
  for (const [table, why] of leftTables) {
    const count = await tables.count(table);
    if (count > 0n) remarks.push({ about: `${counted(count, "row")} of ${table}`, why });
  }
  return remarks;
}
