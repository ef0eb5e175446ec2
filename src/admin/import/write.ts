// Takes rows of another program's database. Groups come before the accounts that stand in them,
// accounts before what they own; what was made is then read back and added up.
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { importAnnouncements } from "./announcements.ts";
import { grantPrefix, importAccounts } from "./accounts.ts";
import { assertMayImport } from "./authority.ts";
import type { ImportCalls, ImportResult, ImportState } from "./contract.ts";
import { importKeys } from "./keys.ts";
import type { ImportNeeds } from "./needs.ts";
import { readCome, readRefs, sumCodes, sumEntries, sumGrants, sumLimits } from "./queries.ts";
import { importBudgets, importMembers, importProjects } from "./organisations.ts";
import { importChannels, importGroups, importPrices } from "./settings.ts";
import { importCodes, importIdentities } from "./ways-in.ts";

export async function importRows(
  needs: ImportNeeds,
  operator: Operator,
  { body }: InputOf<ImportCalls["write"]>,
): Promise<ImportResult> {
  const { source, groups = [], ...lists } = body;
  const { accounts = [], keys = [], channels = [], prices = [], codes = [] } = lists;
  const by = { operator, source };
  const { database } = needs;
  await assertMayImport(needs, operator, { groups, ...lists });
  const identity = await exclusively(needs, "identity", async () => {
    const outcomes = groups.length > 0 ? await importGroups(needs, by, groups) : [];
    const people = await importAccounts(needs, by, accounts);
    const projects = await importProjects(needs, by, lists.projects ?? []);
    const members = await importMembers(needs, by, lists.members ?? []);
    const own = await importKeys(needs, by, keys);
    const links = await importIdentities(needs, by, lists.identities ?? []);
    return {
      outcomes: [outcomes, people.outcomes, projects, members, own.outcomes, links].flat(),
      grants: people.grants,
      keys: own.keys,
    };
  });
  const budgets = lists.budgets ?? [];
  const settings = [
    ...(budgets.length > 0
      ? await exclusively(needs, "budgets", () => importBudgets(needs, by, budgets))
      : []),
    ...(prices.length > 0
      ? await exclusively(needs, "prices", () => importPrices(needs, by, prices))
      : []),
    ...(channels.length > 0
      ? await exclusively(needs, "channels", () => importChannels(needs, by, channels))
      : []),
  ];
  const spelt = await importCodes(needs, by, codes);
  const announced = await importAnnouncements(needs, by, lists.announcements ?? []);
  return {
    rows: [...identity.outcomes, ...settings, ...spelt.outcomes, ...announced],
    granted_micros: await sumEntries(database, identity.grants),
    limits_micros: await sumLimits(database, identity.keys),
    codes_micros: await sumCodes(database, spelt.codes),
  };
}

/** Rows that have come of a database so far. */
export async function readImport(
  { store, database }: ImportNeeds,
  _operator: Operator,
  { query: { source } }: InputOf<ImportCalls["read"]>,
): Promise<ImportState> {
  await store.applied();
  const { grants, micros } = await sumGrants(database, grantPrefix(source));
  return {
    source,
    refs: await readRefs(database, source),
    usernames: await readCome(database, source),
    grants,
    granted_micros: micros,
  };
}
