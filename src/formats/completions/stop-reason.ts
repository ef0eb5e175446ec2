// Why an answer ended, in the words of legacy completions.
import type { StopReason } from "../exchange.ts";

const finishReasons: Readonly<Record<StopReason, string>> = {
  stop: "stop",
  "stop-sequence": "stop",
  length: "length",
  context: "length",
  calls: "stop",
  filter: "content_filter",
  // The answer is not at its end: a client that goes on from here does right.
  pause: "length",
  malformed: "stop",
};

export function encodeStop(stop: StopReason): string {
  return finishReasons[stop];
}
