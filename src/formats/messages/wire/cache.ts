// Marks that ask the vendor to keep the prompt in its cache.
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { CacheMark } from "../../exchange.ts";

export function readCache({ cache_control: mark }: JsonObject): { cache?: CacheMark } {
  if (!isObject(mark)) return {};
  const { ttl } = mark;
  return { cache: { ttl: ttl === "5m" || ttl === "1h" ? ttl : null } };
}

export function writeCache({ cache }: { cache?: CacheMark }): JsonObject {
  if (!cache) return {};
  const mark = { type: "ephemeral" };
  return { cache_control: cache.ttl === null ? mark : { ...mark, ttl: cache.ttl } };
}
