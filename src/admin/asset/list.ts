// Lists the assets of everyone.
import type { Assets } from "../../assets/assets.ts";
import { listAssets, type AssetFilter, type AssetOverview } from "../../assets/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { Database } from "../../store/database.ts";
import type { AssetTable } from "../../store/schema.ts";
import type { AssetView, Listed, OwnAssetView } from "../contract.ts";
import { toSeconds } from "../input.ts";
import { readAccountFilter } from "../named.ts";
import { readPage, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import { readWord } from "../search.ts";

const kinds = ["image", "video", "audio"] as const;
const statuses = ["processing", "active", "failed"] as const;

export async function listAssetViews(
  needs: RecordNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<AssetView>> {
  const page = readPage(query);
  const filter = await readFilter(needs, query);
  const { items, total } = await listAssets(needs.database, filter, page);
  return toListed(
    page,
    items.map((row) => toView(row, needs)),
    total,
  );
}

async function readFilter(needs: RecordNeeds, query: URLSearchParams): Promise<AssetFilter> {
  const accountId = await readAccountFilter(needs, query);
  return { ...readPlain(query), ...(accountId !== null && { accountId }) };
}

function readPlain(query: URLSearchParams): AssetFilter {
  const id = query.get("id");
  const kind = readWord(query, "kind", kinds);
  const status = readWord(query, "status", statuses);
  return {
    ...(id && { id }),
    ...(kind && { kind }),
    ...(status && { status }),
  };
}

interface OwnAssetNeeds {
  database: Database;
  assets: Pick<Assets, "addressOf">;
}

/** One's own. */
export async function listOwnAssetViews(
  { database, assets }: OwnAssetNeeds,
  { accountId }: Operator,
  query: URLSearchParams,
): Promise<Listed<OwnAssetView>> {
  const page = readPage(query);
  const { items, total } = await listAssets(database, { ...readPlain(query), accountId }, page);
  const views = items.map((row) => toOwnAssetView({ ...row, url: assets.addressOf(row.url) }));
  return toListed(page, views, total);
}

function toView(row: AssetOverview, { channels }: RecordNeeds): AssetView {
  const { channel_id } = row;
  return {
    ...toOwnAssetView(row),
    account: row.username,
    channel_id,
    channel: channel_id === null ? null : (channels.find(channel_id)?.settings.name ?? null),
  };
}

export function toOwnAssetView(row: AssetTable): OwnAssetView {
  const { id, name, kind, url, status } = row;
  return {
    id,
    name,
    kind,
    url,
    status,
    error: row.error === null ? null : JSON.parse(row.error),
    group: row.group_name,
    created_at: toSeconds(row.created_at_ms),
    updated_at: toSeconds(row.updated_at_ms),
  };
}
