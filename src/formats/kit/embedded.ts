// What a reply with vectors consumed: its input, since nothing is generated.
import type { Observed } from "../format.ts";

const nothing = {
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** Null where the vendor did not count. */
export function observedInput(inputTokens: number | null): Observed {
  const usage = inputTokens === null ? null : { ...nothing, inputTokens };
  return { usage, outputTokensEstimate: 0, origins: [] };
}
