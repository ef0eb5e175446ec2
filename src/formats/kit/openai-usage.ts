// Usage as chat completions, legacy completions and, in names of their own, responses report it.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { readCount, toUsage, type Usage } from "../usage.ts";

/** Null when the vendor sent nothing that can be trusted. */
export function readOpenaiUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  const input = detailsOf(value["prompt_tokens_details"] ?? value["input_tokens_details"]);
  const output = detailsOf(value["completion_tokens_details"] ?? value["output_tokens_details"]);
  const answered = readCount(value["completion_tokens"] ?? value["output_tokens"]);
  // Perplexity counts these beside the answer, and its total has none of them.
  const beside = readCount(value["reasoning_tokens"]) ?? 0;
  return toUsage({
    input: readCount(value["prompt_tokens"] ?? value["input_tokens"]),
    output: answered === null ? null : answered + beside,
    total: beside > 0 ? null : readCount(value["total_tokens"]),
    cacheRead: readCount(input["cached_tokens"]),
    cacheWrite: readCount(input["cache_write_tokens"]),
    reasoning: readCount(output["reasoning_tokens"]) ?? beside,
    fetched: readCount(value["citation_tokens"]),
    searches: readCount(value["num_search_queries"]),
    audioInput: readCount(input["audio_tokens"]),
  });
}

const noDetails: JsonObject = Object.freeze({});

function detailsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : noDetails;
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
