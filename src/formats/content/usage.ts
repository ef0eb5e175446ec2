// Usage as generateContent reports it. Google counts thoughts apart from the answer, and leaves out
// whatever is zero.
import { isObject, type JsonObject } from "../../core/json.ts";
import { readCount, type Usage } from "../usage.ts";

/**
 * Null when the vendor sent nothing that can be trusted. Tokens of tool results that Google fetched
 * itself (`toolUsePromptTokenCount`) are in the total, but are not of the caller's prompt.
 */
export function readContentUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  const prompt = readCount(value["promptTokenCount"]);
  const candidates = readCount(value["candidatesTokenCount"]);
  const thoughts = readCount(value["thoughtsTokenCount"]);
  const total = readCount(value["totalTokenCount"]);
  const isInputKnown = prompt !== null || total !== null;
  const isOutputKnown = candidates !== null || thoughts !== null || total !== null;
  if (!isInputKnown || !isOutputKnown) return null;
  const reasoningTokens = thoughts ?? 0;
  const rest = (total ?? 0) - (readCount(value["toolUsePromptTokenCount"]) ?? 0);
  const inputTokens = prompt ?? Math.max(0, rest - (candidates ?? 0) - reasoningTokens);
  const outputTokens =
    candidates === null
      ? Math.max(reasoningTokens, rest - inputTokens)
      : candidates + reasoningTokens;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: Math.min(readCount(value["cachedContentTokenCount"]) ?? 0, inputTokens),
    cacheWriteTokens: 0,
    reasoningTokens,
  };
}

export function writeContentUsage(usage: Usage): JsonObject {
  const written: JsonObject = {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
    totalTokenCount: usage.inputTokens + usage.outputTokens,
  };
  if (usage.reasoningTokens > 0) written["thoughtsTokenCount"] = usage.reasoningTokens;
  if (usage.cacheReadTokens > 0) written["cachedContentTokenCount"] = usage.cacheReadTokens;
  return written;
}
