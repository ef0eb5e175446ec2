// Registered media in a request: looked up for the account that asks, and handed on by what the
// upstream that has it calls it, or by its address where none has.
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Asset } from "../../assets/asset.ts";
import type { Assets } from "../../assets/assets.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";
import type { TaskPlace } from "../../tasks/task.ts";

interface VideoOrder {
  job: VideoJob;
  /** The client's own body, for upstreams that take it as it is. */
  body: JsonObject;
}

/** The one channel and key that know an asset of the job. */
export interface AssetHome extends Pick<TaskPlace, "channelId" | "keyDigest"> {
  /** The field that names the asset. */
  param: string;
}

interface Resolved extends VideoOrder {
  /** Null when the job may go anywhere. */
  home: AssetHome | null;
}

/**
 * Throws the 400 that names the field of an asset which is unknown, not active, another account's,
 * or known to another upstream than the ones before it.
 */
export async function resolveAssets(
  assets: Pick<Assets, "resolve">,
  accountId: AccountId,
  order: VideoOrder,
): Promise<Resolved> {
  const assetsById = new Map<string, Asset>();
  let home: AssetHome | null = null;
  for (const { source, param } of order.job.media) {
    if (source.kind !== "asset" || assetsById.has(source.id)) continue;
    const asset = await assets.resolve(accountId, source.id, param);
    assetsById.set(source.id, asset);
    home = meet(home, asset, param);
  }
  if (assetsById.size === 0) return { ...order, home };
  const media = order.job.media.map((part) => withAsset(part, assetsById));
  return { job: { ...order.job, media }, body: replaceIn(order.body, assetsById), home };
}

function meet(home: AssetHome | null, { place }: Asset, param: string): AssetHome | null {
  if (!place) return home;
  const { channelId, keyDigest } = place;
  if (!home) return { channelId, keyDigest, param };
  if (home.channelId === channelId && home.keyDigest === keyDigest) return home;
  const other = `another upstream than that of ${home.param}`;
  const message = `${param} names an asset of ${other}: register both again`;
  throw new GatewayError("invalid_request", { param, message });
}

function withAsset(media: JobMedia, assetsById: ReadonlyMap<string, Asset>): JobMedia {
  const { source } = media;
  const asset = source.kind === "asset" ? assetsById.get(source.id) : undefined;
  if (!asset) return media;
  const { place, url } = asset;
  if (!place) return { ...media, source: { kind: "url", url } };
  return { ...media, source: { kind: "asset", id: place.reference } };
}

/** Our ids mean nothing to anyone else. */
function replaceIn(body: JsonObject, assetsById: ReadonlyMap<string, Asset>): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value && replace(value, assetsById)]),
  );
}

function replace(value: Json, assetsById: ReadonlyMap<string, Asset>): Json {
  if (typeof value === "string")
    return assetsById.get(value.replace(/^asset:\/\//, ""))?.url ?? value;
  if (Array.isArray(value)) return value.map((item) => replace(item, assetsById));
  return isObject(value) ? replaceIn(value, assetsById) : value;
}
