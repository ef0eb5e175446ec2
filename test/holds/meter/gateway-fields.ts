// Fields that no vendor of the first rank publishes, and other vendors and gateways read: they run
// another model, a tool without a price, or make the answer longer.
import { isObject, toSnake, type Json, type JsonObject } from "./json.ts";

/** Each runs another model, or a tool that nobody has a price for. */
const unpricedFields: ReadonlySet<string> = new Set([
  "models",
  "fallbacks",
  "fallback_models",
  "plugins",
  "web_search",
  "enable_web_search",
  "enable_search",
  "search_parameters",
  "enable_code_interpreter",
  "connectors",
  "bot_setting",
]);

/** Those, and fields of the body itself, which the reader takes over what stands at the top. */
const repeatedFields: ReadonlySet<string> = new Set([
  ...unpricedFields,
  "model",
  "service_tier",
  "tools",
  "web_search_options",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "n",
  "best_of",
  "thinking_budget",
]);

/** The first of them that is on, with the path to it. */
export function unpricedField(body: JsonObject): string | null {
  for (const [name, value] of Object.entries(body)) {
    if (unpricedFields.has(name) && isOn(value)) return name;
    if (toSnake(name) !== "extra_body" || !isObject(value)) continue;
    const inner = Object.keys(value).find(
      (field) => repeatedFields.has(field) && isOn(value[field]),
    );
    if (inner !== undefined) return `${name}.${inner}`;
  }
  return null;
}

function isOn(value: Json | undefined): boolean {
  if (isObject(value)) return value["enable"] !== false && value["enabled"] !== false;
  return value !== undefined && value !== null && value !== false;
}

/** Tokens that are thought beside an answer, and not counted to its bound. */
export function budgetBesideBound(body: JsonObject): number {
  const { enable_thinking: isThinking, thinking_budget: budget } = body;
  return isThinking === true && typeof budget === "number" ? Math.max(budget, 0) : 0;
}

/** Kept for an hour, what stands before such a mark is written at twice the price of input. */
export function isHourMarked({ cache_control: mark }: JsonObject): boolean {
  return isObject(mark) && mark["ttl"] === "1h";
}

export const hourWriteTimes = 2;

/** Files of Qwen's long models stand as words in a system message. */
export function namesKeptFile(wire: string, body: JsonObject): boolean {
  if (wire !== "chat" || !Array.isArray(body["messages"])) return false;
  return body["messages"].some(
    (message) =>
      isObject(message) &&
      message["role"] === "system" &&
      /fileid:\/\/\w/.test(JSON.stringify(message["content"] ?? "")),
  );
}

/** An item of an earlier answer that stands there by its id alone. */
export function keptItem({ type, id, ...item }: JsonObject): "reasoning" | "picture" | null {
  if (typeof id !== "string" || id === "") return null;
  if (type === "image_generation_call" && typeof item["result"] !== "string") return "picture";
  const isTold = typeof item["encrypted_content"] === "string";
  return type === "reasoning" && !isTold ? "reasoning" : null;
}
