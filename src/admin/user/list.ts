// Lists accounts.
import type { Operator } from "../../identity/caller.ts";
import { listAccounts } from "../../identity/queries.ts";
import type { Listed, UserView } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import type { UserViewNeeds } from "./needs.ts";
import { viewRow } from "./view.ts";

export async function listUserViews(
  needs: UserViewNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<UserView>> {
  const page = readPage(query);
  const { items, total } = await listAccounts(needs.database, page);
  const views = await Promise.all(items.map((row) => viewRow(needs, row)));
  return toListed(page, views, total);
}
