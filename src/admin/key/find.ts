// Finds a key for someone who may use it, or lets it not exist.
import { GatewayError, invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import {
  countKeys,
  findListedKey,
  isSameName,
  type AccountRow,
  type ListedKey,
} from "../../identity/queries.ts";
import type { Permission } from "../../identity/roles/permissions.ts";
import { assertMayUse } from "../authority.ts";
import { existing, readKeyId } from "../input.ts";
import { findNamedAccount } from "../named.ts";
import type { KeyNeeds } from "./needs.ts";

/** For reading. */
export async function findVisible(
  { database }: Pick<KeyNeeds, "database">,
  operator: Operator,
  id: string,
): Promise<ListedKey> {
  const row = existing(await findListedKey(database, readKeyId(id)));
  const isVisible = operator.may.has("keys.read") || row.account_id === operator.accountId;
  if (!isVisible || !isMade(operator, row)) throw new GatewayError("not_found");
  return row;
}

/** A member has those of the organisation's keys that it made. */
function isMade({ seat }: Operator, { maker_id: maker }: ListedKey): boolean {
  return seat?.role !== "member" || maker === seat.personId;
}

/** For changing. */
export async function findChangeable(
  needs: Pick<KeyNeeds, "database">,
  operator: Operator,
  id: string,
  permission: Permission = "keys.write",
): Promise<ListedKey> {
  const row = await findVisible(needs, operator, id);
  const account = { ...row, id: row.account_id };
  await assertMayUse(needs, operator, { account, permission });
  return row;
}

/** Those who see their own keys alone name themselves, and do not learn who else there is. */
export async function findNamed(
  { database }: KeyNeeds,
  operator: Operator,
  username: string,
): Promise<AccountRow> {
  const isOwn = isSameName(username, operator.username) || username === operator.accountId;
  if (!operator.may.has("keys.read") && !isOwn) {
    throw new GatewayError("permission_denied", { param: "account" });
  }
  const account = await findNamedAccount(database, username);
  if (!account) throw invalid("account", `names no account: ${username}`);
  return account;
}

export async function assertRoom(
  { database, accountRules: { keysMax } }: KeyNeeds,
  accountId: AccountId,
): Promise<void> {
  if ((await countKeys(database, accountId)) < keysMax) return;
  const message = `An account may have at most ${keysMax} keys; revoke one that is not in use.`;
  throw new GatewayError("conflict", { message });
}

/** A key is in its account's group unless one may say more; one that is not there locks out. */
export function assertGroup(
  { groups }: KeyNeeds,
  operator: Operator,
  group: string,
  ofAccount: string,
): void {
  if (!operator.may.has("groups.write") && group !== ofAccount) {
    throw new GatewayError("permission_denied", {
      param: "group",
      message: "A key of this account can only use the account's own group.",
    });
  }
  if (!groups.find(group)) throw invalid("group", `names no group: ${group}`);
}
