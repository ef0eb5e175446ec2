// A vendor may refuse the bound that was put on the output, where its own is lower than what was
// paid for in advance. Where the client named none, the request is tried once more without it.
import { isObject, type JsonObject } from "../../../core/json.ts";
import type { RequestFault } from "../../../upstreams/upstream.ts";

const boundNames = [
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "maxOutputTokens",
] as const;

/** Null when the refusal is about something else, or nothing would be left out. */
export function withoutBound(
  body: JsonObject,
  { status, param, message }: RequestFault,
): JsonObject | null {
  const words = `${param ?? ""} ${message}`;
  if (status !== 400 || !boundNames.some((name) => words.includes(name))) return null;
  const { generationConfig: config } = body;
  const unbounded = without(body);
  if (!isObject(config)) return unbounded;
  const changed = without(config);
  return changed ? { ...(unbounded ?? body), generationConfig: changed } : unbounded;
}

/**
 * The same where the wire demands a bound: the vendor's own, which it names in its refusal. Null
 * when it names none that is lower, or too little would be left to think in.
 */
export function withLowerBound(
  body: JsonObject,
  { status, param, message }: RequestFault,
): JsonObject | null {
  const { max_tokens: maxTokens, thinking } = body;
  const isNamed = `${param ?? ""} ${message}`.includes("max_tokens");
  if (status !== 400 || !isNamed || typeof maxTokens !== "number") return null;
  const named = (message.match(/\d[\d,_]*/g) ?? []).map((text) => Number(text.replace(/\D/g, "")));
  const most = Math.max(0, ...named.filter((count) => count < maxTokens));
  const budget = isObject(thinking) ? thinking["budget_tokens"] : null;
  if (most === 0 || (typeof budget === "number" && budget >= most)) return null;
  return { ...body, max_tokens: most };
}

function without(body: JsonObject): JsonObject | null {
  const named = boundNames.filter((name) => body[name] !== undefined);
  if (named.length === 0) return null;
  const left = { ...body };
  for (const name of named) delete left[name];
  return left;
}

/** Whether an operator changes the bound on a channel, so that its vendor need not keep to ours. */
export function changesBound(names: readonly string[]): boolean {
  return names.some((name) => name === "generationConfig" || isBoundName(name));
}

function isBoundName(name: string): boolean {
  return boundNames.some((one) => one === name);
}
