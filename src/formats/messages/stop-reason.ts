// Reasons for a message's end, in the format's words and in the neutral ones.
import type { StopReason } from "../exchange.ts";

const reasons: ReadonlyMap<string, StopReason> = new Map([
  ["end_turn", "stop"],
  ["stop_sequence", "stop-sequence"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "context"],
  ["tool_use", "calls"],
  ["refusal", "filter"],
  ["pause_turn", "pause"],
]);

const words: Readonly<Record<StopReason, string>> = {
  stop: "end_turn",
  "stop-sequence": "stop_sequence",
  length: "max_tokens",
  context: "model_context_window_exceeded",
  calls: "tool_use",
  filter: "refusal",
  pause: "pause_turn",
  // The only remaining word that is no success, so that nobody takes it for one.
  malformed: "refusal",
  other: "refusal",
};

/** A word that nobody knows is no success; one that is missing is taken for one. */
export function readStopReason(word: unknown): StopReason {
  if (typeof word !== "string" || word === "") return "stop";
  return reasons.get(word) ?? "other";
}

/** A refusal that came as text of its own is one whatever the vendor called the end. */
export function writeStopReason(stop: StopReason, hasRefused: boolean): string {
  return hasRefused ? "refusal" : words[stop];
}
