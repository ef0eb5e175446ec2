// Lists the channels that are configured, and where it is asked for the sandbox's behind them.
import { entityStatuses } from "../../config/entities.ts";
import { readChannelKeys, readChannels } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { ChannelView, Listed } from "../contract.ts";
import { cutPage, readPage } from "../page.ts";
import { compareBy, readPrefix, readSort, readWord } from "../search.ts";
import type { ChannelNeeds } from "./needs.ts";
import { toSandboxView, toView } from "./view.ts";

export const channelSorts = ["priority", "name", "created_at", "in_flight"] as const;

export async function listChannelViews(
  needs: ChannelNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<ChannelView>> {
  const page = readPage(query);
  const isMatch = readFilter(query);
  const order = compareBy<ChannelView, (typeof channelSorts)[number]>(
    readSort(query, channelSorts) ?? { field: "priority", isDown: true },
  );
  const withSandbox = readWord(query, "sandbox", ["true", "false"]) === "true";
  const rows = await readChannels(needs.database);
  const keys = Map.groupBy(await readChannelKeys(needs.database), (key) => key.channel_id);
  const views = rows.map((row) => toView(needs, row, keys.get(row.id) ?? []));
  const known = new Set(views.map(({ id }) => id));
  const sandbox = withSandbox
    ? needs.channels.all.filter(({ settings }) => settings.keepsKeys && !known.has(settings.id))
    : [];
  return cutPage(page, [
    ...views.filter(isMatch).toSorted(order),
    ...sandbox.map((channel) => toSandboxView(needs.clock, channel)).filter(isMatch),
  ]);
}

function readFilter(query: URLSearchParams): (view: ChannelView) => boolean {
  const { prefix = "" } = readPrefix(query);
  const status = readWord(query, "status", entityStatuses);
  const [group, type, model] = ["group", "type", "model"].map((name) => query.get(name) || null);
  return (view) =>
    view.name.toLowerCase().startsWith(prefix.toLowerCase()) &&
    (status === null || view.status === status) &&
    (!group || view.groups.includes(group)) &&
    (!type || view.type === type) &&
    (!model || view.models.includes(model));
}
