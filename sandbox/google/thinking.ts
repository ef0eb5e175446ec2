// Thinking before the answer: by default some, unless it cannot or must not.
import type { GenerationConfig } from "./request/messages.ts";

interface Thinking {
  tokens: number;
  /** Whether the answer shows a summary of it. */
  isShown: boolean;
}

const tokensByLevel: Readonly<Record<string, number>> = {
  MINIMAL: 8,
  LOW: 16,
  MEDIUM: 64,
  HIGH: 256,
};
const defaultTokens = 32;
const automatic = -1;
const thoughtlessModel = /gemini-(?:1|2\.0)/;

export function thinkingOf({ thinkingConfig }: GenerationConfig, model: string): Thinking {
  const { includeThoughts = false, thinkingBudget, thinkingLevel } = thinkingConfig ?? {};
  const tokens = tokensFor(thinkingBudget ?? automatic, thinkingLevel);
  if (tokens === 0 || thoughtlessModel.test(model)) return { tokens: 0, isShown: false };
  return { tokens, isShown: includeThoughts };
}

function tokensFor(budget: number, level: string | undefined): number {
  if (level !== undefined) return tokensByLevel[level] ?? defaultTokens;
  return budget === automatic ? defaultTokens : Math.min(budget, defaultTokens);
}
