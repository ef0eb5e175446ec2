// Lists the groups, each with how many channels serve it.
import { readChannels } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { readGroups } from "../../identity/groups/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import type { Database } from "../../store/database.ts";
import { cutPage, pageOf } from "../page.ts";
import { compareBy, toOrder } from "../search.ts";
import type { GroupCalls, GroupView, ListedGroup } from "./contract.ts";
import type { GroupNeeds } from "./write.ts";
import { toView } from "./row.ts";

export async function listGroupViews(
  { database }: GroupNeeds,
  _operator: Operator,
  { query }: InputOf<GroupCalls["list"]>,
): Promise<Listed<ListedGroup>> {
  const { q: prefix = "", sort = "name" } = query;
  const order = compareBy<GroupView, "name" | "multiplier">(toOrder(sort));
  const rows = await readGroups(database);
  const isMatch = ({ name }: GroupView) => name.toLowerCase().startsWith(prefix.toLowerCase());
  const page = cutPage(pageOf(query), rows.map(toView).filter(isMatch).toSorted(order));
  const channelCounts = await countChannels(database);
  const items = page.items.map((view) => ({
    ...view,
    channels: channelCounts.get(view.name) ?? 0,
  }));
  return { ...page, items };
}

/** Number of channels of each group that one names. */
async function countChannels(database: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { groups } of await readChannels(database)) {
    const names: string[] = JSON.parse(groups);
    for (const name of new Set(names)) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
