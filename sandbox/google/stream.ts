// An answer as Google streams it: bodies like that of a whole answer, each with the next piece of
// one candidate and with the usage so far; as events, or as the items of one list.
import { type Candidate, renderPieces } from "./candidate.ts";
import type { Prompt } from "./prompt.ts";
import { outputOf, usageOf } from "./usage.ts";

interface StreamedAnswer {
  candidates: readonly Candidate[];
  /** Null when the usage is to be left out. */
  prompt: Prompt | null;
  head: object;
}

export type Framing = "events" | "list";

const encoder = new TextEncoder();

/** Candidates take turns, as they would when they are generated side by side. */
export function renderChunks({ candidates, prompt, head }: StreamedAnswer): object[] {
  const rows = candidates.map(renderPieces);
  const { thoughtTokens } = outputOf(candidates);
  const soFar = rows.map(() => 0);
  const longest = Math.max(0, ...rows.map((row) => row.length));
  const turns = Array.from({ length: longest }, (_, at) =>
    rows.flatMap((row, index) => row.slice(at, at + 1).map((piece) => ({ piece, index }))),
  );
  return turns.flat().map(({ piece, index }) => {
    soFar[index] = piece.tokens;
    const candidateTokens = soFar.reduce((total, tokens) => total + tokens, 0);
    const usage = prompt && { usageMetadata: usageOf(prompt, { candidateTokens, thoughtTokens }) };
    return { candidates: [piece.candidate], ...usage, ...head };
  });
}

export function encodeChunks(chunks: readonly object[], framing: Framing): Uint8Array[] {
  const texts = chunks.map((chunk) => JSON.stringify(chunk));
  if (framing === "events") return texts.map((text) => encoder.encode(`data: ${text}\r\n\r\n`));
  const items = texts.map((text, at) => `${at === 0 ? "[" : ",\r\n"}${text}`);
  return [...items, texts.length === 0 ? "[]" : "\r\n]"].map((text) => encoder.encode(text));
}
