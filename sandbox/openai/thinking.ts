// Visible reasoning of a sandbox model: a sentence or two about the prompt, never more than the
// tokens that it reports.
import { seedOf } from "../writer/seed.ts";
import { writeProse } from "../writer/text.ts";
import { cutToTokens } from "../writer/tokens.ts";

const thinkingWords = 24;

export function writeThinking(prompt: string, tokens: number, variant = 0): string {
  const seed = (seedOf(`thinking of ${prompt}`) + variant) >>> 0;
  return cutToTokens(`Let me think. ${writeProse(prompt, seed, thinkingWords)}`, tokens);
}
