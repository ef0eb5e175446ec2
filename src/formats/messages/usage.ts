// Usage as the messages format counts it: here the input leaves out what the cache read and wrote.
import { isObject, type JsonObject } from "../../core/json.ts";
import { laterUsage, readCount, type Usage } from "../usage.ts";

/** Of a whole reply; null when the vendor sent nothing that can be trusted. */
export function readMessagesUsage(value: unknown): Usage | null {
  return hasOutput(value) ? addMessagesUsage(null, value) : null;
}

/** Whether a report says how much was generated. */
export function hasOutput(value: unknown): value is JsonObject {
  return isObject(value) && readCount(value["output_tokens"]) !== null;
}

/**
 * What is known after one more report of a stream. Each counts everything so far, and what it does
 * not name is as it was. Null until the vendor has told the input.
 */
export function addMessagesUsage(before: Usage | null, value: unknown): Usage | null {
  if (!isObject(value)) return before;
  const input = readCount(value["input_tokens"]) ?? (before && plainInput(before));
  if (input === null) return before;
  const details = value["output_tokens_details"];
  const read = readCount(value["cache_read_input_tokens"]) ?? before?.cacheReadTokens ?? 0;
  const written = readCount(value["cache_creation_input_tokens"]) ?? before?.cacheWriteTokens ?? 0;
  const output = readCount(value["output_tokens"]) ?? before?.outputTokens ?? 0;
  const thinking = isObject(details) ? readCount(details["thinking_tokens"]) : null;
  return laterUsage(before, {
    inputTokens: input + read + written,
    outputTokens: output,
    cacheReadTokens: read,
    cacheWriteTokens: written,
    reasoningTokens: Math.min(thinking ?? before?.reasoningTokens ?? 0, output),
  });
}

export function writeUsage(usage: Usage | null): JsonObject {
  if (!usage) return { input_tokens: 0, output_tokens: 0 };
  const written: JsonObject = {
    input_tokens: plainInput(usage),
    cache_creation_input_tokens: usage.cacheWriteTokens,
    cache_read_input_tokens: usage.cacheReadTokens,
    output_tokens: usage.outputTokens,
  };
  if (usage.reasoningTokens > 0) {
    written["output_tokens_details"] = { thinking_tokens: usage.reasoningTokens };
  }
  return written;
}

function plainInput({ inputTokens, cacheReadTokens, cacheWriteTokens }: Usage): number {
  return Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
}
