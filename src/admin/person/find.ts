// A person whose ways in an operator looks at or ends: root anyone's, an admin those of ordinary
// accounts and its own.
import type { Operator } from "../../identity/caller.ts";
import { findListedAccount, type AccountRow } from "../../identity/queries.ts";
import { assertMayUseKeysOf } from "../authority.ts";
import { existing, readAccountId } from "../input.ts";
import type { NotingNeeds } from "../audit/entry.ts";

export async function findPerson(
  { database }: Pick<NotingNeeds, "database">,
  operator: Operator,
  id: string,
): Promise<AccountRow> {
  const account = existing(await findListedAccount(database, readAccountId(id)));
  assertMayUseKeysOf(operator, account);
  return account;
}
