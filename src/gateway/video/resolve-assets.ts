// Registered media in a request: looked up for the account that asks, and handed on by its address.
import type { AccountId } from "../../core/ids.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Assets } from "../../assets/assets.ts";
import type { JobMedia, VideoJob } from "../../families/video-job.ts";

interface Asked {
  job: VideoJob;
  /** The client's own body, for upstreams that take it as it is. */
  body: JsonObject;
}

/** Throws the 400 that names the field of an asset which is unknown, not active, or another's. */
export async function resolveAssets(
  assets: Pick<Assets, "resolve">,
  accountId: AccountId,
  asked: Asked,
): Promise<Asked> {
  const urls = new Map<string, string>();
  for (const { source, param } of asked.job.media) {
    if (source.kind !== "asset" || urls.has(source.id)) continue;
    const { url } = await assets.resolve(accountId, source.id, param);
    urls.set(source.id, url);
  }
  if (urls.size === 0) return asked;
  const media = asked.job.media.map((part) => withUrl(part, urls));
  return { job: { ...asked.job, media }, body: replaceIn(asked.body, urls) };
}

function withUrl(media: JobMedia, urls: ReadonlyMap<string, string>): JobMedia {
  const { source } = media;
  const url = source.kind === "asset" ? urls.get(source.id) : undefined;
  return url === undefined ? media : { ...media, source: { kind: "url", url } };
}

/** Our ids mean nothing to anyone else. */
function replaceIn(body: JsonObject, urls: ReadonlyMap<string, string>): JsonObject {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, value && replace(value, urls)]),
  );
}

function replace(value: Json, urls: ReadonlyMap<string, string>): Json {
  if (typeof value === "string") return urls.get(value.replace(/^asset:\/\//, "")) ?? value;
  if (Array.isArray(value)) return value.map((item) => replace(item, urls));
  return isObject(value) ? replaceIn(value, urls) : value;
}
