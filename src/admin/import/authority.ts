// Permissions that an import takes beside `gateway.import`: those of making the same by hand.
import type { AccountId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Operator } from "../../identity/caller.ts";
import { defaultGroup } from "../../identity/groups.ts";
import { findAccount } from "../../identity/queries.ts";
import type { Permission } from "../../identity/roles/permissions.ts";
import { assertMayGive, assertMayUse, assertPermitted } from "../authority.ts";
import type { InputOf } from "../call.ts";
import type { ImportCalls } from "./contract.ts";
import type { ImportBy, ImportNeeds } from "./needs.ts";

type ImportLists = Omit<InputOf<ImportCalls["write"]>["body"], "source">;

const listNeeds: Readonly<Record<keyof ImportLists, Permission>> = {
  groups: "groups.write",
  accounts: "people.write",
  projects: "people.write",
  members: "people.write",
  keys: "keys.write",
  budgets: "budgets.write",
  channels: "channels.write",
  prices: "prices.write",
  codes: "money.write",
  identities: "people.write",
  announcements: "site.write",
};

/** Before anything is written: all of it needs what the operator lacks, or nothing does. */
export async function assertMayImport(
  needs: Pick<ImportNeeds, "database">,
  operator: Operator,
  lists: ImportLists,
): Promise<void> {
  for (const [list, permission] of Object.entries(listNeeds)) {
    const rows = lists[list as keyof ImportLists] ?? [];
    if (rows.length > 0) assertPermitted(operator, permission, list, `it imports ${list}`);
  }
  const { accounts = [], keys = [] } = lists;
  if (accounts.some(bringsCredit)) {
    assertPermitted(operator, "money.write", "accounts", "it imports accounts with credit");
  }
  const isGrouped = ({ group }: JsonObject) => group !== defaultGroup && group !== null;
  if ([...accounts, ...keys].some(isGrouped)) {
    assertPermitted(operator, "groups.write", "accounts", "it imports members of groups");
  }
  if (accounts.some(({ role }) => role === "admin")) {
    await assertMayGive(needs, operator, "admin", "accounts");
  }
}

/** A row of a wrong shape counts as one with credit; it is refused by itself. */
function bringsCredit({ micros, unlimited }: JsonObject): boolean {
  return micros !== 0 || unlimited !== false;
}

/** An account that came by an earlier import may have more rights by now than who adds to it. */
export async function assertMayAddTo(
  { database }: Pick<ImportNeeds, "database">,
  { operator }: ImportBy,
  accountId: string,
  permission: Permission,
): Promise<void> {
  const account = await findAccount(database, accountId as AccountId);
  if (account) await assertMayUse({ database }, operator, { account, permission });
}
