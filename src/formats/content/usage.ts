// Usage as generateContent reports it. Google counts thoughts apart from the answer, and leaves out
// whatever is zero.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { readCount, toUsage, type Usage } from "../usage.ts";

/** Null when the vendor sent nothing that can be trusted. */
export function readContentUsage(value: unknown): Usage | null {
  if (!isObject(value)) return null;
  const prompt = readCount(value["promptTokenCount"]);
  const candidates = readCount(value["candidatesTokenCount"]);
  const thoughts = readCount(value["thoughtsTokenCount"]);
  const total = readCount(value["totalTokenCount"]);
  const fetched = readCount(value["toolUsePromptTokenCount"]);
  const answered = (candidates ?? 0) + (thoughts ?? 0);
  const isOutputKnown = candidates !== null || thoughts !== null || total !== null;
  // Without a count of the prompt, the input is what the total has beside all else.
  const rest = total === null ? null : Math.max(0, total - (fetched ?? 0) - answered);
  return toUsage({
    input: prompt ?? rest,
    output: isOutputKnown ? answered : null,
    total,
    cacheRead: readCount(value["cachedContentTokenCount"]),
    reasoning: thoughts,
    fetched,
    audioInput: spokenIn(value["promptTokensDetails"]),
  });
}

/** Google counts by modality. */
function spokenIn(details: Json | undefined): number | null {
  if (!Array.isArray(details)) return null;
  const spoken = details.find((one) => isObject(one) && one["modality"] === "AUDIO");
  return isObject(spoken) ? readCount(spoken["tokenCount"]) : null;
}

export function writeContentUsage(usage: Usage): JsonObject {
  const written: JsonObject = {
    promptTokenCount: usage.inputTokens,
    candidatesTokenCount: usage.outputTokens - usage.reasoningTokens,
    totalTokenCount: usage.inputTokens + usage.outputTokens + (usage.fetchedTokens ?? 0),
  };
  if (usage.fetchedTokens) written["toolUsePromptTokenCount"] = usage.fetchedTokens;
  if (usage.reasoningTokens > 0) written["thoughtsTokenCount"] = usage.reasoningTokens;
  if (usage.cacheReadTokens > 0) written["cachedContentTokenCount"] = usage.cacheReadTokens;
  return written;
}
