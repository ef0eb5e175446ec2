// Tokens as the sandbox counts them: four characters each.

const charactersPerToken = 4;

export function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** Longest beginning of the text that the tokens allow, without half a character at its end. */
export function cutToTokens(text: string, tokensMax: number): string {
  const cut = text.slice(0, tokensMax * charactersPerToken);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
