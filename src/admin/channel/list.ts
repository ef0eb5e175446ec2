// Lists the channels that are configured.
import { listChannels, readChannelKeys } from "../../distribution/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { ChannelView, Listed } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import type { ChannelNeeds } from "./needs.ts";
import { toView } from "./view.ts";

export async function listChannelViews(
  needs: ChannelNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<ChannelView>> {
  const page = readPage(query);
  const { items, total } = await listChannels(needs.database, page);
  const keys = Map.groupBy(await readChannelKeys(needs.database), (key) => key.channel_id);
  const views = items.map((row) => toView(needs, row, keys.get(row.id) ?? []));
  return toListed(page, views, total);
}
