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
import { assertMayUseKeysOf } from "../authority.ts";
import { existing, readKeyId } from "../input.ts";
import { findNamedAccount } from "../named.ts";
import type { KeyNeeds } from "./needs.ts";

/** For reading, which an admin may do on every account. */
export async function findVisible(
  { database }: Pick<KeyNeeds, "database">,
  operator: Operator,
  id: string,
): Promise<ListedKey> {
  const row = existing(await findListedKey(database, readKeyId(id)));
  const isVisible = operator.role !== "user" || row.account_id === operator.accountId;
  if (!isVisible) throw new GatewayError("not_found");
  return row;
}

/** For changing. */
export async function findChangeable(
  needs: Pick<KeyNeeds, "database">,
  operator: Operator,
  id: string,
): Promise<ListedKey> {
  const row = await findVisible(needs, operator, id);
  assertMayUseKeysOf(operator, { id: row.account_id, role: row.role });
  return row;
}

/** An ordinary user may name only itself, and does not learn who else there is. */
export async function findNamed(
  { database }: KeyNeeds,
  operator: Operator,
  username: string,
): Promise<AccountRow> {
  const isOwn = isSameName(username, operator.username) || username === operator.accountId;
  if (operator.role === "user" && !isOwn) {
    throw new GatewayError("permission_denied", { param: "account" });
  }
  const account = await findNamedAccount(database, username);
  if (!account) throw invalid("account", `names no account: ${username}`);
  return account;
}

export async function assertRoom(
  { database, keysMax }: KeyNeeds,
  accountId: AccountId,
): Promise<void> {
  if ((await countKeys(database, accountId)) < keysMax) return;
  const message = `An account may have at most ${keysMax} keys; revoke one that is not in use.`;
  throw new GatewayError("conflict", { message });
}

/** Only admins may move a key out of its account's group; a group that is not there locks out. */
export function assertGroup(
  { groups }: KeyNeeds,
  operator: Operator,
  group: string,
  ofAccount: string,
): void {
  if (operator.role === "user" && group !== ofAccount) {
    throw new GatewayError("permission_denied", {
      param: "group",
      message: "A key of this account can only use the account's own group.",
    });
  }
  if (!groups.find(group)) throw invalid("group", `names no group: ${group}`);
}
