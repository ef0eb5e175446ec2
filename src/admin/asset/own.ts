// Registers an asset for one's account, shows it, and deletes it.
import { toAssetRow } from "../../assets/asset.ts";
import type { Assets } from "../../assets/assets.ts";
import { assetLimits } from "../../assets/limits.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount } from "../../identity/queries.ts";
import type { Database } from "../../store/database.ts";
import type { InputOf } from "../call.ts";
import { existing } from "../input.ts";
import type { OwnAssetCalls, OwnAssetView } from "./contract.ts";
import { toOwnAssetView } from "./list.ts";

export interface AssetNeeds {
  database: Database;
  assets: Assets;
}

/** In the group of the account, whose channels it may be registered with. */
export async function addAsset(
  { database, assets }: AssetNeeds,
  { accountId }: Operator,
  { body }: InputOf<OwnAssetCalls["add"]>,
): Promise<OwnAssetView> {
  const { url, kind, name = "" } = body;
  const { group_name: group } = existing(await findAccount(database, accountId));
  const asset = await assets.register({ accountId, group }, { url, kind, name: name.trim() });
  return toOwnAssetView(toAssetRow(asset));
}

export async function uploadAsset(
  { database, assets }: AssetNeeds,
  { accountId }: Operator,
  { query: { kind, name = "" }, pieces }: InputOf<OwnAssetCalls["upload"]>,
): Promise<OwnAssetView> {
  if (!kind) throw invalid("kind", "is required: image, video or audio");
  const { group_name: group } = existing(await findAccount(database, accountId));
  const file = { kind, name, pieces: pieces(assetLimits[kind].bytesMax) };
  return toOwnAssetView(toAssetRow(await assets.upload({ accountId, group }, file)));
}

export async function readOwnAsset(
  { assets }: AssetNeeds,
  { accountId }: Operator,
  { id }: { id: string },
): Promise<OwnAssetView> {
  return toOwnAssetView(toAssetRow(existing(await assets.find(accountId, id))));
}

export async function removeAsset(
  { assets }: AssetNeeds,
  { accountId }: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  if (!(await assets.remove(accountId, id))) throw new GatewayError("not_found");
  return { id };
}
