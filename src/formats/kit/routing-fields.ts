// Fields by which a vendor that is itself a gateway is told to run, and bill, something else than
// what was asked for: other models, other providers at other prices, other credentials, and inside
// `extra_body` whatever it reads over the field of the same name beside it.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { FieldPath } from "../surcharge.ts";
import { withoutPaths } from "./field-paths.ts";
import { vendorToolFields } from "./resellers/vendor-tool-fields.ts";

const routingFields = [
  // OpenRouter and those that follow it.
  "models",
  "fallback_models",
  "route",
  "provider",
  "preset",
  // LiteLLM.
  "fallbacks",
  "default_fallbacks",
  "context_window_fallbacks",
  "content_policy_fallbacks",
  "context_window_fallback_dict",
  "mock_testing_fallbacks",
  "mock_testing_context_fallbacks",
  "mock_testing_content_policy_fallbacks",
  "mock_testing_rate_limit_error",
  "model_list",
  "model_info",
  "model_group_alias",
  "specific_deployment",
  "deployment_id",
  "router_settings_override",
  "user_config",
  "litellm_params",
  "custom_llm_provider",
  "api_base",
  "base_url",
  "api_key",
  "api_version",
  // Vercel's gateway, inside the options of providers.
  "gateway",
  // Groq's compound models.
  "compound_custom",
  // Anthropic.
  "fallback_credit_token",
  // Google.
  "routingConfig",
  "routing_config",
  "modelSelectionConfig",
  "model_selection_config",
];

/** Fields that decide what a request costs, which is held by what stands at the top of the body. */
const pricedFields = new Set([
  "model",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "maxOutputTokens",
  "n",
  "best_of",
  "candidateCount",
  "thinking_budget",
  "service_tier",
  "serviceTier",
  "speed",
  "inference_geo",
  "tools",
  "mcp_servers",
  "container",
  "modalities",
  "cache_control",
  "vl_high_resolution_images",
  ...vendorToolFields,
]);

/** Objects that the reader puts over the body. */
const repeatHolders = new Set(["extra_body", "extraBody"]);

/** Objects in which clients put such fields for what stands behind the vendor. */
const holders = [
  ...repeatHolders,
  "providerOptions",
  "provider_options",
  "generationConfig",
  "generation_config",
];

/** One look for each field of a body. */
const kinds = new Map<string, "routing" | "holder">([
  ...routingFields.map((name) => [name, "routing"] as const),
  ...holders.map((name) => [name, "holder"] as const),
]);

const none: readonly FieldPath[] = [];

/** Null where it has none, as nearly all have. */
export function withoutRouting(
  body: JsonObject,
): { body: JsonObject; ignored: readonly string[] } | null {
  const paths = routingIn(body, [], false);
  if (paths.length === 0) return null;
  return { body: withoutPaths(body, paths), ignored: paths.map((path) => path.join(".")) };
}

/** In what repeats the body, each field that decides the cost is one as well. */
function routingIn(
  holder: JsonObject,
  path: FieldPath,
  repeatsBody: boolean,
): readonly FieldPath[] {
  let paths: FieldPath[] | null = null;
  for (const name in holder) {
    const kind = kinds.get(name) ?? (repeatsBody && pricedFields.has(name) ? "routing" : undefined);
    if (kind === undefined) continue;
    if (kind === "routing") (paths ??= []).push([...path, name]);
    else {
      const inner = holder[name];
      const repeats = repeatHolders.has(name);
      if (isObject(inner)) (paths ??= []).push(...routingIn(inner, [...path, name], repeats));
    }
  }
  return paths ?? none;
}
