// Why an answer ended, in the words of chat completions, most of which legacy completions share.
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
  malformed: "stop",
};

/** Vendors disagree on how an answer with calls ends, so the calls themselves decide. */
export function decodeOpenaiStop(finishReason: unknown, hasCalls: boolean): StopReason {
  switch (finishReason) {
    case "length":
      return "length";
    case "content_filter":
      return "filter";
    default:
      return hasCalls ? "calls" : "stop";
  }
}
