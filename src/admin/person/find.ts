// A person whose ways in an operator looks at or ends: its own, and those of accounts below it.
import type { Operator } from "../../identity/caller.ts";
import { findListedAccount, type AccountRow } from "../../identity/queries.ts";
import { assertMayEdit } from "../authority.ts";
import { existing, readAccountId } from "../input.ts";
import type { NotingNeeds } from "../audit/entry.ts";

export async function findPerson(
  { database }: Pick<NotingNeeds, "database">,
  operator: Operator,
  id: string,
): Promise<AccountRow> {
  const account = existing(await findListedAccount(database, readAccountId(id)));
  if (account.id !== operator.accountId) await assertMayEdit({ database }, operator, account);
  return account;
}
