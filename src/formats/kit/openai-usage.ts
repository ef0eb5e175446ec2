// Usage as chat completions and legacy completions report it.
import { isObject, type JsonObject } from "../../core/json.ts";
import { readCount, type Usage } from "../usage.ts";

/** Null when the vendor sent nothing that can be trusted. */
export function readOpenaiUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  const inputTokens = readCount(value["prompt_tokens"]);
  const outputTokens = readCount(value["completion_tokens"]);
  if (inputTokens === null || outputTokens === null) return null;
  const input = isObject(value["prompt_tokens_details"]) ? value["prompt_tokens_details"] : {};
  const output = isObject(value["completion_tokens_details"])
    ? value["completion_tokens_details"]
    : {};
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: Math.min(readCount(input["cached_tokens"]) ?? 0, inputTokens),
    cacheWriteTokens: Math.min(readCount(input["cache_write_tokens"]) ?? 0, inputTokens),
    reasoningTokens: Math.min(readCount(output["reasoning_tokens"]) ?? 0, outputTokens),
  };
}

export function encodeOpenaiUsage(usage: Usage): JsonObject {
  return {
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cacheReadTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoningTokens },
  };
}
