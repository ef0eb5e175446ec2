// Reasons for an answer's end, in the words of chat completions.
import type { StopReason } from "../exchange.ts";
import { finishReasons } from "../kit/finish-reasons.ts";

export function encodeStop(stop: StopReason): string {
  return finishReasons[stop];
}
