// Lists the assets of everyone.
import type { Assets } from "../../assets/assets.ts";
import { listAssets, type AssetFilter, type AssetOverview } from "../../assets/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { Database } from "../../store/database.ts";
import type { AssetTable } from "../../store/schema.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds } from "../input.ts";
import { accountNamed } from "../named.ts";
import { pageOf, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { AssetCalls, AssetView, OwnAssetCalls, OwnAssetView } from "./contract.ts";

export async function listAssetViews(
  needs: RecordNeeds,
  _operator: Operator,
  { query }: InputOf<AssetCalls["list"]>,
): Promise<Listed<AssetView>> {
  const page = pageOf(query);
  const accountId = await accountNamed(needs, query.account);
  const filter = { ...toFilter(query), ...(accountId !== null && { accountId }) };
  const { items, total } = await listAssets(needs.database, filter, page);
  return toListed(
    page,
    items.map((row) => toView(row, needs)),
    total,
  );
}

function toFilter({ id, kind, status }: InputOf<OwnAssetCalls["list"]>["query"]): AssetFilter {
  return { ...(id && { id }), ...(kind && { kind }), ...(status && { status }) };
}

interface OwnAssetNeeds {
  database: Database;
  assets: Pick<Assets, "addressOf">;
}

/** One's own. */
export async function listOwnAssetViews(
  { database, assets }: OwnAssetNeeds,
  { accountId }: Operator,
  { query }: InputOf<OwnAssetCalls["list"]>,
): Promise<Listed<OwnAssetView>> {
  const page = pageOf(query);
  const { items, total } = await listAssets(database, { ...toFilter(query), accountId }, page);
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
