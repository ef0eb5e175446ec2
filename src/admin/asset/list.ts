// Lists the assets of everyone.
import { listAssets, type AssetFilter, type AssetOverview } from "../../assets/queries.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccountByName } from "../../identity/queries.ts";
import type { AssetView, Listed } from "../contract.ts";
import { toSeconds } from "../input.ts";
import { readPage, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";

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

async function readFilter({ database }: RecordNeeds, query: URLSearchParams): Promise<AssetFilter> {
  const username = query.get("account");
  const account = username ? await findAccountByName(database, username) : null;
  if (username && !account) throw new GatewayError("not_found", { param: "account" });
  const id = query.get("id");
  const kind = readWord(query, "kind", kinds);
  const status = readWord(query, "status", statuses);
  return {
    ...(account && { accountId: account.id }),
    ...(id && { id }),
    ...(kind && { kind }),
    ...(status && { status }),
  };
}

function readWord<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly Word[],
): Word | null {
  const text = query.get(name);
  if (!text) return null;
  const known = words.find((word) => word === text);
  if (known === undefined) throw invalid(name, `must be one of ${words.join(", ")}`);
  return known;
}

function toView(row: AssetOverview, { channels }: RecordNeeds): AssetView {
  const { id, name, kind, url, status, channel_id } = row;
  return {
    id,
    account: row.username,
    name,
    kind,
    url,
    status,
    error: row.error === null ? null : JSON.parse(row.error),
    group: row.group_name,
    channel_id,
    channel: channel_id === null ? null : (channels.find(channel_id)?.settings.name ?? null),
    created_at: toSeconds(row.created_at_ms),
    updated_at: toSeconds(row.updated_at_ms),
  };
}
