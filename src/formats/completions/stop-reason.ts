// Reasons for an answer's end, in the words of legacy completions, which know no calls.
import type { StopReason } from "../exchange.ts";
import { finishReasons } from "../kit/finish-reasons.ts";

export function encodeStop(stop: StopReason): string {
  return stop === "calls" ? "stop" : finishReasons[stop];
}
