// Cuts of a text such that its pieces have as many tokens as the whole. A tokenizer first splits a
// text into words and then merges within each, which takes the square of a word's length.

/** Longer than any word that is written, and short enough to be merged in a moment. */
const pieceCharactersMax = 1024;

/**
 * No word of the o200k encoding goes past these: a blank is always the first of its word, and what
 * follows a letter within one is a letter, a mark or a contraction. Halves of a pair tell nothing.
 */
const seam = /^(?:\S[ \t]|\p{L}[^\p{L}\p{M}\p{Cs}'])$/u;

/** The text in short pieces; only a run without a seam is cut where it may cost a token. */
export function* pieces(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > pieceCharactersMax) {
    const to = endOfPiece(text, from);
    yield text.slice(from, to);
    from = to;
  }
  if (from < text.length) yield text.slice(from);
}

/** The last seam near the end of a text, so that what follows may still become longer. */
export function lastSeam(text: string): number {
  return endOfPiece(text, Math.max(0, text.length - pieceCharactersMax));
}

function endOfPiece(text: string, from: number): number {
  const to = Math.min(from + pieceCharactersMax, text.length);
  for (let at = to; at > from; at--) if (seam.test(text.slice(at - 1, at + 1))) return at;
  const isLowSurrogate = (text.charCodeAt(to) & 0xfc00) === 0xdc00;
  return isLowSurrogate ? to - 1 : to;
}
