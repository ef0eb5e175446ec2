// Counts of Claude's tokens by the runtime, which is asked about a body of InvokeModel. It knows
// models by their own ids alone: a profile has no count, though it has answers.
import type { JsonObject } from "../../core/json.ts";
import type { Address, Target, TextAsk } from "../upstream.ts";
import { toInvoke } from "./invoke.ts";
import { modelAddress } from "./place.ts";

const profile = /^(?:arn:[^/]*:inference-profile\/)?(?:us|eu|apac|jp|au|us-gov|global)\./;

/** Null where the model behind an ARN is not told. */
export function countAddress({ model }: TextAsk, target: Target): Address | null {
  const plain = model.replace(profile, "");
  if (plain.startsWith("arn:")) return null;
  return modelAddress({ model: plain, stream: false }, "count-tokens", target);
}

/** A body without a bound is none of InvokeModel's, and a question about a length names none. */
export function toCount(body: JsonObject, ask: TextAsk): JsonObject {
  const invoke = JSON.stringify({ max_tokens: 1, ...toInvoke(body, ask) });
  return { input: { invokeModel: { body: Buffer.from(invoke).toString("base64") } } };
}

export function toMessagesCount(reply: JsonObject): JsonObject {
  const { inputTokens } = reply;
  return typeof inputTokens === "number" ? { input_tokens: inputTokens } : reply;
}
