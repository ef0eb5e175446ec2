// Usage of a response. Ours carry two sets of names: the vendor's own, which clients read, and
// those of chat completions, which this gateway's contract promises.
import { isObject, type JsonObject } from "../../core/json.ts";
import { readCount, type Usage } from "../usage.ts";

/** Null when the vendor sent nothing that can be trusted. */
export function readUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  const inputTokens = readCount(value["input_tokens"] ?? value["prompt_tokens"]);
  const outputTokens = readCount(value["output_tokens"] ?? value["completion_tokens"]);
  if (inputTokens === null || outputTokens === null) return null;
  const input = objectOf(value["input_tokens_details"] ?? value["prompt_tokens_details"]);
  const output = objectOf(value["output_tokens_details"] ?? value["completion_tokens_details"]);
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: Math.min(readCount(input["cached_tokens"]) ?? 0, inputTokens),
    cacheWriteTokens: Math.min(readCount(input["cache_write_tokens"]) ?? 0, inputTokens),
    reasoningTokens: Math.min(readCount(output["reasoning_tokens"]) ?? 0, outputTokens),
  };
}

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
  const usage = readUsage(response["usage"]);
  if (!usage || !isObject(response["usage"])) return response;
  const names = { prompt_tokens: usage.inputTokens, completion_tokens: usage.outputTokens };
  return { ...response, usage: { ...response["usage"], ...names } };
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
