// What a reply consumed, counted alike for every format. Cache reads and writes are parts of the
// input, reasoning is a part of the output.

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
}

/** More than any model takes; what a vendor reports beyond it is a lie or a bug. */
const tokensMax = 100_000_000;

/** A count as it can be trusted: a whole number within bounds, or null when it is not one. */
export function readCount(value: unknown): number | null {
  if (typeof value !== "number" || !Number.isFinite(value) || value < 0) return null;
  return Math.min(Math.ceil(value), tokensMax);
}

/** Reports are of everything so far, so a later one that is lower is not believed. */
export function laterUsage(before: Usage | null, later: Usage | null): Usage | null {
  if (!before || !later) return later ?? before;
  return {
    inputTokens: Math.max(before.inputTokens, later.inputTokens),
    outputTokens: Math.max(before.outputTokens, later.outputTokens),
    cacheReadTokens: Math.max(before.cacheReadTokens, later.cacheReadTokens),
    cacheWriteTokens: Math.max(before.cacheWriteTokens, later.cacheWriteTokens),
    reasoningTokens: Math.max(before.reasoningTokens, later.reasoningTokens),
  };
}

/** Roughly how many tokens a text is, for where nobody counted: four letters, or one ideograph. */
export function estimateTokens(text: string): number {
  let others = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) others++;
  return (text.length - others) / 4 + others * 0.75;
}
