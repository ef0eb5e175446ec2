// Registered media: what it is, and what a video request may make of it.
import type { AccountId, AssetId } from "../core/ids.ts";
import { isObject } from "../core/json.ts";
import type { AssetTable } from "../store/schema.ts";

export type AssetKind = AssetTable["kind"];
export type AssetStatus = AssetTable["status"];

export interface AssetError {
  code: string;
  message: string;
}

export interface Asset {
  id: AssetId;
  accountId: AccountId;
  name: string;
  kind: AssetKind;
  url: string;
  status: AssetStatus;
  error: AssetError | null;
  createdAtMs: number;
  updatedAtMs: number;
}

export function fromRow(row: AssetTable): Asset {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    kind: row.kind,
    url: row.url,
    status: row.status,
    error: row.error === null ? null : readError(row.error),
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}

export function toRow(asset: Asset): AssetTable {
  return {
    id: asset.id,
    account_id: asset.accountId,
    name: asset.name,
    kind: asset.kind,
    url: asset.url,
    status: asset.status,
    error: asset.error && JSON.stringify(asset.error),
    created_at_ms: asset.createdAtMs,
    updated_at_ms: asset.updatedAtMs,
  };
}

function readError(text: string): AssetError {
  const error: unknown = JSON.parse(text);
  if (!isObject(error)) throw new TypeError("an asset's row does not hold an error");
  return { code: String(error["code"]), message: String(error["message"]) };
}
