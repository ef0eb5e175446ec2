// Registered media: what it is, and what a video request may make of it.
import type { AccountId, AssetId, ChannelId } from "../core/ids.ts";
import { isObject } from "../core/json.ts";
import type { AssetTable } from "../store/schema.ts";

export type AssetKind = AssetTable["kind"];
export type AssetStatus = AssetTable["status"];

export interface AssetError {
  code: string;
  message: string;
}

/** Registration at an upstream: videos that use it go there. */
export interface AssetPlace {
  channelId: ChannelId;
  keyDigest: string;
  /** The upstream's name for it. */
  reference: string;
}

export interface Asset {
  id: AssetId;
  accountId: AccountId;
  /** Group whose channels it may be registered with. */
  group: string;
  name: string;
  kind: AssetKind;
  url: string;
  status: AssetStatus;
  error: AssetError | null;
  /** Null where it is handed on by its URL. */
  place: AssetPlace | null;
  createdAtMs: number;
  updatedAtMs: number;
}

const ownScheme = "media:";

/** An asset that was uploaded names its file in our own store; a link to it is signed when used. */
export function ownUrl(mediaId: string): string {
  return ownScheme + mediaId;
}

/** Null of what lies elsewhere. */
export function ownMediaId(url: string): string | null {
  return url.startsWith(ownScheme) ? url.slice(ownScheme.length) : null;
}

export function fromAssetRow(row: AssetTable): Asset {
  return {
    id: row.id,
    accountId: row.account_id,
    group: row.group_name,
    name: row.name,
    kind: row.kind,
    url: row.url,
    status: row.status,
    error: row.error === null ? null : readError(row.error),
    place: placeIn(row),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

export function toAssetRow(asset: Asset): AssetTable {
  return {
    id: asset.id,
    account_id: asset.accountId,
    group_name: asset.group,
    name: asset.name,
    kind: asset.kind,
    url: asset.url,
    status: asset.status,
    error: asset.error && JSON.stringify(asset.error),
    created_at_ms: asset.createdAtMs,
    updated_at_ms: asset.updatedAtMs,
    ...toPlaceCells(asset.place),
  };
}

type PlaceCells = Pick<AssetTable, "channel_id" | "key_digest" | "upstream_reference">;

export function toPlaceCells(place: AssetPlace | null): PlaceCells {
  const { channelId = null, keyDigest = null, reference = null } = place ?? {};
  return { channel_id: channelId, key_digest: keyDigest, upstream_reference: reference };
}

function placeIn(row: PlaceCells): AssetPlace | null {
  const { channel_id: channelId, key_digest: keyDigest, upstream_reference: reference } = row;
  if (channelId === null || keyDigest === null || reference === null) return null;
  return { channelId, keyDigest, reference };
}

function readError(text: string): AssetError {
  const error: unknown = JSON.parse(text);
  if (!isObject(error)) throw new TypeError("an asset's row does not hold an error");
  return { code: String(error["code"]), message: String(error["message"]) };
}
