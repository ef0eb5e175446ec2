// Usage of a response. Ours carry two sets of names: the vendor's own, which clients read, and
// those of chat completions, which this gateway's contract promises.
import { isObject, type JsonObject } from "../../core/json.ts";
import { readOpenaiUsage } from "../kit/openai-usage.ts";
import type { Usage } from "../usage.ts";

export function encodeUsage(usage: Usage | null): JsonObject | null {
  if (!usage) return null;
  const { inputTokens, outputTokens } = usage;
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: inputTokens + outputTokens,
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
  };
}

/** A vendor's response with the second set of names beside its own. */
export function withBothNames(response: JsonObject): JsonObject {
  const usage = readOpenaiUsage(response["usage"]);
  if (!usage || !isObject(response["usage"])) return response;
  const names = { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens };
  return { ...response, usage: { ...response["usage"], ...names } };
}

export function writeResponseUsage(response: JsonObject, usage: Usage): JsonObject {
  return { ...response, usage: encodeUsage(usage) };
}
