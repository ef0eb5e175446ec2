// Lists the groups.
import type { Operator } from "../../identity/caller.ts";
import { readGroups } from "../../identity/queries.ts";
import type { GroupView, Listed } from "../contract.ts";
import { cutPage, readPage } from "../page.ts";
import type { GroupNeeds } from "./write.ts";
import { toView } from "./row.ts";

export async function listGroupViews(
  { database }: GroupNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<GroupView>> {
  const rows = await readGroups(database);
  return cutPage(readPage(query), rows.map(toView));
}
