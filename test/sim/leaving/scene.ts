// One request as the dice have it: what its vendor really uses, what it tells of that and when, and
// when its client leaves.
import type { Dice } from "../dice.ts";

export interface Scene {
  client: "chat" | "messages";
  stream: boolean;
  promptBytes: number;
  outputTokensMax: number;
  /** Tokens that the vendor reads, and those it thinks before the first word. */
  inputTokens: number;
  hiddenTokens: number;
  /** Moment of each of its words, and so their number. */
  wordsAtMs: number[];
  /** Moment it is done, and tells its usage. */
  endsAtMs: number;
  /** True, far beyond what can be, or nothing at all. */
  tells: "truth" | "lie" | "nothing";
  /** Null: the client waits for the end. */
  leavesAtMs: number | null;
  /** Channel on which the client's leaving is told first. */
  leavesBy: "signal" | "stream";
}

export const horizonMs = 40_000;
/** The text that words are counted as where nobody tells. */
export const word = "word";

export function rollScene(dice: Dice): Scene {
  // An answer without any is none, and free.
  const words = dice.between(1, 20);
  const firstAtMs = dice.between(1, 8000);
  const wordsAtMs = Array.from({ length: words }, () => firstAtMs + dice.between(0, 10_000));
  wordsAtMs.sort((one, other) => one - other);
  const lastAtMs = wordsAtMs.at(-1) ?? firstAtMs;
  const promptBytes = dice.between(1, 5000);
  const outputTokensMax = words + dice.between(1, 10_000);
  return {
    client: dice.pick(["chat", "messages"]),
    stream: dice.chance(0.75),
    promptBytes,
    outputTokensMax,
    inputTokens: dice.between(1, promptBytes),
    hiddenTokens: dice.chance(0.5) ? dice.between(0, outputTokensMax - words) : 0,
    wordsAtMs,
    endsAtMs: lastAtMs + dice.between(1, 12_000),
    tells: dice.pick(["truth", "truth", "lie", "nothing"]),
    leavesAtMs: dice.chance(0.8) ? dice.between(1, 20_000) : null,
    leavesBy: dice.pick(["signal", "stream"]),
  };
}
