// Tiers of service on Vertex: asked for in a header, where Google's other API has a field.
import type { Json, JsonObject } from "../../core/json.ts";

const tierHeader = "x-vertex-ai-llm-shared-request-type";
/** All others are what is served anyway. */
const tierPattern = /^(?:service_tier_)?(flex|priority)$/i;
const noHeaders: Readonly<Record<string, string>> = {};

function tierIn(body: JsonObject): Json | undefined {
  return body["serviceTier"] ?? body["service_tier"];
}

export function tierHeaders(body: JsonObject): Readonly<Record<string, string>> {
  const [, tier] = tierPattern.exec(String(tierIn(body) ?? "")) ?? [];
  return tier === undefined ? noHeaders : { [tierHeader]: tier.toLowerCase() };
}

export function withoutTier(body: JsonObject): JsonObject {
  if (tierIn(body) === undefined) return body;
  const { serviceTier: _field, service_tier: _alias, ...rest } = body;
  return rest;
}
