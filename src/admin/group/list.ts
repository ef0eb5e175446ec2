// Lists the groups.
import type { Operator } from "../../identity/caller.ts";
import { readGroups } from "../../identity/groups/queries.ts";
import type { GroupView, Listed } from "../contract.ts";
import { cutPage, readPage } from "../page.ts";
import { compareBy, readPrefix, readSort } from "../search.ts";
import type { GroupNeeds } from "./write.ts";
import { toView } from "./row.ts";

export const groupSorts = ["name", "multiplier"] as const;

export async function listGroupViews(
  { database }: GroupNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<GroupView>> {
  const page = readPage(query);
  const prefix = readPrefix(query).prefix?.toLowerCase() ?? "";
  const order = compareBy<GroupView, (typeof groupSorts)[number]>(
    readSort(query, groupSorts) ?? { field: "name", isDown: false },
  );
  const rows = await readGroups(database);
  const views = rows.map(toView).filter(({ name }) => name.toLowerCase().startsWith(prefix));
  return cutPage(page, views.toSorted(order));
}
