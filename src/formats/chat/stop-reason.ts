// Why an answer ended, in the words of chat completions.
import type { StopReason } from "../exchange.ts";
import { finishReasons } from "../kit/finish-reasons.ts";

export function encodeStop(stop: StopReason): string {
  return finishReasons[stop];
}

/** Vendors disagree on how an answer with calls ends, so the calls themselves decide. */
export function decodeStop(finishReason: unknown, hasCalls: boolean): StopReason {
  switch (finishReason) {
    case "length":
      return "length";
    case "content_filter":
      return "filter";
    default:
      return hasCalls ? "calls" : "stop";
  }
}
