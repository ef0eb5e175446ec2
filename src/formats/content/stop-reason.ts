// Reasons for an answer's end, in Google's words and in ours.
import type { StopReason } from "../exchange.ts";
import { isLeftToCalls } from "../kit/finish-reasons.ts";

const reasons: Readonly<Record<string, StopReason>> = {
  MAX_TOKENS: "length",
  CONTINUATION: "length",
  SAFETY: "filter",
  RECITATION: "filter",
  LANGUAGE: "filter",
  BLOCKLIST: "filter",
  PROHIBITED_CONTENT: "filter",
  SPII: "filter",
  IMAGE_SAFETY: "filter",
  IMAGE_PROHIBITED_CONTENT: "filter",
  IMAGE_RECITATION: "filter",
  IMAGE_OTHER: "filter",
  MODEL_ARMOR: "filter",
  STOP: "stop",
  MALFORMED_FUNCTION_CALL: "malformed",
  UNEXPECTED_TOOL_CALL: "malformed",
  TOO_MANY_TOOL_CALLS: "malformed",
};

/** A call that was not expected, or one too many, is a call all the same. */
const unwanted = new Set(["UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"]);

/** Google ends an answer that calls tools like any other: the calls themselves tell. */
export function readStop(finishReason: string | null, hasCalls: boolean): StopReason {
  const word = finishReason ?? "STOP";
  if (hasCalls && unwanted.has(word)) return "calls";
  const stop = reasons[word] ?? "other";
  return hasCalls && isLeftToCalls(stop) ? "calls" : stop;
}

/** The reason of a candidate, or null while it goes on. */
export function readFinish(value: unknown): string | null {
  if (typeof value !== "string" || value === "") return null;
  return value === "FINISH_REASON_UNSPECIFIED" ? null : value;
}

const finishes: Readonly<Record<StopReason, string>> = {
  stop: "STOP",
  "stop-sequence": "STOP",
  calls: "STOP",
  pause: "STOP",
  length: "MAX_TOKENS",
  context: "MAX_TOKENS",
  filter: "SAFETY",
  malformed: "MALFORMED_FUNCTION_CALL",
  other: "OTHER",
};

/** A model that refuses in words ends for safety here, where a refusal has no words of its own. */
export function writeFinish(stop: StopReason, isRefused: boolean): string {
  return isRefused ? "SAFETY" : finishes[stop];
}
