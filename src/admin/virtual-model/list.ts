// Lists the virtual models.
import { readVirtualModels } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { cutPage, pageOf } from "../page.ts";
import type { VirtualModelCalls, VirtualModelView } from "./contract.ts";
import { servedBy } from "./judge.ts";
import type { VirtualModelNeeds } from "./needs.ts";
import { toView } from "./row.ts";

export async function listVirtualModels(
  needs: VirtualModelNeeds,
  _operator: Operator,
  { query }: InputOf<VirtualModelCalls["list"]>,
): Promise<Listed<VirtualModelView>> {
  const { q: prefix = "" } = query;
  const rows = await readVirtualModels(needs.database);
  const isServed = await servedBy(needs, rows);
  const isMatch = ({ name }: VirtualModelView) =>
    name.toLowerCase().startsWith(prefix.toLowerCase());
  const views = rows.map((row) => toView(row, isServed)).filter(isMatch);
  return cutPage(pageOf(query), views);
}
