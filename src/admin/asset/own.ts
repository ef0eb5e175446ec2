// Registers an asset for one's account, shows it, and deletes it.
import { toAssetRow } from "../../assets/asset.ts";
import type { Assets } from "../../assets/assets.ts";
import { assetLimits } from "../../assets/limits.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith } from "../../core/schema.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount } from "../../identity/queries.ts";
import type { Database } from "../../store/database.ts";
import type { OwnAssetView } from "../contract.ts";
import { existing } from "../input.ts";
import { readWord } from "../search.ts";
import { AssetInput } from "./contract.ts";
import { toOwnAssetView } from "./list.ts";

export interface AssetNeeds {
  database: Database;
  assets: Assets;
}

const assetChecker = compile(AssetInput);

/** In the group of the account, whose channels it may be registered with. */
export async function addAsset(
  { database, assets }: AssetNeeds,
  { accountId }: Operator,
  body: JsonObject,
): Promise<OwnAssetView> {
  const { url, kind, name = "" } = parseWith(assetChecker, body);
  const { group_name: group } = existing(await findAccount(database, accountId));
  const asset = await assets.register({ accountId, group }, { url, kind, name: name.trim() });
  return toOwnAssetView(toAssetRow(asset));
}

const kinds = ["image", "video", "audio"] as const;
const nameCharactersMax = 64;

/** What of it stands in the query: its body is the file. */
export async function uploadAsset(
  { database, assets }: AssetNeeds,
  { accountId }: Operator,
  { query, pieces }: { query: URLSearchParams; pieces: Upload },
): Promise<OwnAssetView> {
  const kind = readWord(query, "kind", kinds);
  if (kind === null) throw invalid("kind", "is required: image, video or audio");
  const name = (query.get("name") ?? "").trim();
  if (name.length > nameCharactersMax) {
    throw invalid("name", `must have at most ${nameCharactersMax} characters`);
  }
  const { group_name: group } = existing(await findAccount(database, accountId));
  const file = { kind, name, pieces: pieces(assetLimits[kind].bytesMax) };
  return toOwnAssetView(toAssetRow(await assets.upload({ accountId, group }, file)));
}

/** The body as it comes, no more than so many bytes. */
type Upload = (bytesMax: number) => AsyncIterable<Uint8Array>;

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
