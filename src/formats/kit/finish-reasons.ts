// Reasons for an answer's end, in the words of chat completions, most of which legacy completions
// share.
import type { StopReason } from "../exchange.ts";

export const finishReasons: Readonly<Record<StopReason, string>> = {
  stop: "stop",
  "stop-sequence": "stop",
  length: "length",
  context: "length",
  calls: "tool_calls",
  filter: "content_filter",
  // The answer is not at its end: a client that goes on from here does right.
  pause: "length",
  // The only remaining word that is no success, so that nobody takes it for one.
  malformed: "content_filter",
  other: "content_filter",
};

/** Words of vendors; what is an end by itself or by calls, the calls decide. */
const reasons: ReadonlyMap<string, StopReason> = new Map([
  ["stop", "stop"],
  ["tool_calls", "stop"],
  ["function_call", "stop"],
  // Words that vendors of this wire took from other wires.
  ["completed", "stop"],
  ["end_turn", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["stop_sequence", "stop"],
  ["tool_use", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "context"],
  // The vendor had to break off, so there is more to say.
  ["insufficient_system_resource", "length"],
  ["content_filter", "filter"],
  ["sensitive", "filter"],
]);

/** Vendors disagree on how an answer with calls ends, so the calls themselves decide. */
export function decodeOpenaiStop(finishReason: unknown, hasCalls: boolean): StopReason {
  const stop = stopOf(finishReason);
  return hasCalls && isLeftToCalls(stop) ? "calls" : stop;
}

/** Whether an answer that has calls and ends so has ended for them. */
export function isLeftToCalls(stop: StopReason): boolean {
  return stop === "stop" || stop === "other";
}

/** A word that nobody knows is no success; one that is missing is taken for one. */
function stopOf(finishReason: unknown): StopReason {
  if (typeof finishReason !== "string" || finishReason === "") return "stop";
  const known = reasons.get(finishReason.toLowerCase());
  if (known) return known;
  return finishReason.startsWith("content_filter") ? "filter" : "other";
}
