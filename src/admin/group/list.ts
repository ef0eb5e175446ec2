// Lists the groups.
import type { Operator } from "../../identity/caller.ts";
import { readGroups } from "../../identity/groups/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { cutPage, pageOf } from "../page.ts";
import { compareBy, toOrder } from "../search.ts";
import type { GroupCalls, GroupView } from "./contract.ts";
import type { GroupNeeds } from "./write.ts";
import { toView } from "./row.ts";

export async function listGroupViews(
  { database }: GroupNeeds,
  _operator: Operator,
  { query }: InputOf<GroupCalls["list"]>,
): Promise<Listed<GroupView>> {
  const { q: prefix = "", sort = "name" } = query;
  const order = compareBy<GroupView, "name" | "multiplier">(toOrder(sort));
  const rows = await readGroups(database);
  const isMatch = ({ name }: GroupView) => name.toLowerCase().startsWith(prefix.toLowerCase());
  return cutPage(pageOf(query), rows.map(toView).filter(isMatch).toSorted(order));
}
