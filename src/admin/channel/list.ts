// Lists the channels that are configured, and where it is asked for the sandbox's behind them.
import type { Channel } from "../../distribution/channel.ts";
import { readChannelKeys, readChannels } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { cutPage, pageOf } from "../page.ts";
import { compareBy, toOrder } from "../search.ts";
import type { ChannelCalls, ChannelView } from "./contract.ts";
import type { ChannelNeeds } from "./needs.ts";
import { sandboxChannels, toSandboxView, toView } from "./view.ts";

type ChannelSort = "priority" | "name" | "created_at" | "in_flight";

export async function listChannelViews(
  needs: ChannelNeeds,
  _operator: Operator,
  { query }: InputOf<ChannelCalls["list"]>,
): Promise<Listed<ChannelView>> {
  const isMatch = toFilter(query);
  const order = compareBy<ChannelView, ChannelSort>(toOrder(query.sort ?? "-priority"));
  const rows = await readChannels(needs.database);
  const keys = Map.groupBy(await readChannelKeys(needs.database), (key) => key.channel_id);
  const views = rows.map((row) => toView(needs, row, keys.get(row.id) ?? []));
  const known = new Set(views.map(({ id }) => id));
  const isNew = ({ settings }: Channel) => !known.has(settings.id);
  const sandbox = query.sandbox === "true" ? sandboxChannels(needs).filter(isNew) : [];
  return cutPage(pageOf(query), [
    ...views.filter(isMatch).toSorted(order),
    ...sandbox.map((channel) => toSandboxView(needs, channel)).filter(isMatch),
  ]);
}

function toFilter(query: InputOf<ChannelCalls["list"]>["query"]): (view: ChannelView) => boolean {
  const { q: prefix = "", status, group, type, model } = query;
  return (view) =>
    view.name.toLowerCase().startsWith(prefix.toLowerCase()) &&
    (status === undefined || view.status === status) &&
    (!group || view.groups.includes(group)) &&
    (!type || view.type === type) &&
    (!model || view.models.includes(model));
}
