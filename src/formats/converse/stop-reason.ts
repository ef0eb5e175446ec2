// Reasons for an answer of Converse to end.
import type { StopReason } from "../exchange.ts";

const reasons: ReadonlyMap<string, StopReason> = new Map([
  ["end_turn", "stop"],
  ["tool_use", "calls"],
  ["max_tokens", "length"],
  ["stop_sequence", "stop-sequence"],
  ["guardrail_intervened", "filter"],
  ["content_filtered", "filter"],
  ["malformed_model_output", "malformed"],
  ["malformed_tool_use", "malformed"],
  ["model_context_window_exceeded", "context"],
]);

/** A word that nobody knows is no success; one that is missing is taken for one. */
export function readConverseStop(word: unknown): StopReason {
  if (typeof word !== "string" || word === "") return "stop";
  return reasons.get(word) ?? "other";
}
