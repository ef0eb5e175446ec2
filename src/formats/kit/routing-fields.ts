// Fields by which a vendor that is itself a gateway is told to run, and bill, something else than
// the model that was asked for: other models, other providers at other prices, other credentials.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { FieldPath } from "../surcharge.ts";
import { withoutPaths } from "./field-paths.ts";

const routingFields = [
  // OpenRouter and those that follow it.
  "models",
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

/** Objects in which clients put such fields for what stands behind the vendor. */
const holders = [
  "extra_body",
  "extraBody",
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
  const paths = routingIn(body, []);
  if (paths.length === 0) return null;
  return { body: withoutPaths(body, paths), ignored: paths.map((path) => path.join(".")) };
}

function routingIn(holder: JsonObject, path: FieldPath): readonly FieldPath[] {
  let paths: FieldPath[] | null = null;
  for (const name in holder) {
    const kind = kinds.get(name);
    if (kind === undefined) continue;
    if (kind === "routing") (paths ??= []).push([...path, name]);
    else {
      const inner = holder[name];
      if (isObject(inner)) (paths ??= []).push(...routingIn(inner, [...path, name]));
    }
  }
  return paths ?? none;
}
