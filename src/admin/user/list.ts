import type { Operator } from "../../identity/caller.ts";
import { listAccounts } from "../../identity/queries.ts";
import type { Listed, UserView } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import type { ControlParts } from "../parts.ts";
import { toView } from "./view.ts";

export async function listUserViews(
  { database, store }: ControlParts,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<UserView>> {
  const page = readPage(query);
  await store.applied();
  const { items, total } = await listAccounts(database, page);
  return toListed(page, items.map(toView), total);
}
