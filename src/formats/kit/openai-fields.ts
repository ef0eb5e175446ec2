// Fields that chat and legacy completions share, and the pieces their schemas are made of.
import { Type } from "../../core/schema.ts";
import { isObject, type JsonObject } from "../../core/json.ts";

/** Vendors take null for "not set" everywhere; one message for a wrong type instead of two. */
export function nullable(
  type: "boolean" | "integer" | "number" | "string" | "object" | "array",
  limits: object = {},
) {
  return Type.Optional(Type.Unsafe<unknown>({ type: [type, "null"], ...limits }));
}

export const samplingFields = {
  model: Type.String({ minLength: 1, maxLength: 256 }),
  stream: nullable("boolean"),
  stream_options: nullable("object", {
    properties: { include_usage: { type: ["boolean", "null"] } },
  }),
  n: nullable("integer", { minimum: 1, maximum: 128 }),
  max_tokens: nullable("integer", { minimum: 0, maximum: 100_000_000 }),
  temperature: nullable("number"),
  top_p: nullable("number"),
  presence_penalty: nullable("number"),
  frequency_penalty: nullable("number"),
  seed: nullable("number"),
  stop: Type.Optional(Type.Unsafe<unknown>({ type: ["string", "array", "null"] })),
  logit_bias: nullable("object"),
  user: nullable("string"),
};

export function readNumber(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}

/** The larger of the bounds that are named; 0, which some vendors read as no bound, is none. */
export function readOutputBound(body: JsonObject, names: readonly string[]): number | null {
  let largest: number | null = null;
  for (const name of names) {
    const bound = readNumber(body[name]);
    if (bound === 0) return null;
    if (bound !== null) largest = Math.max(largest ?? bound, bound);
  }
  return largest;
}

/** The bounds that are named, each lowered to what was paid for; else the first name is set. */
export function boundOutput(
  body: JsonObject,
  names: readonly [string, ...string[]],
  outputTokensMax: number,
): void {
  let isBounded = false;
  for (const name of names) {
    const bound = readNumber(body[name]) || null;
    if (bound !== null) body[name] = Math.min(bound, outputTokensMax);
    else if (name in body) delete body[name];
    isBounded ||= bound !== null;
  }
  if (!isBounded) body[names[0]] = outputTokensMax;
}

export function wantsUsage(body: JsonObject): boolean {
  const { stream_options: options } = body;
  return wantsCost(body) || (isObject(options) && options["include_usage"] === true);
}

export function wantsCost({ usage }: JsonObject): boolean {
  return isObject(usage) && usage["include"] === true;
}

/** Usage is always asked for, because it is billed; the observer hides it from who did not ask. */
export function withUsage(body: JsonObject): JsonObject {
  if (body["stream"] !== true) return body;
  const options = isObject(body["stream_options"]) ? body["stream_options"] : {};
  return { ...body, stream_options: { ...options, include_usage: true } };
}
