// JSON with held texts in it, written piece by piece: base64 goes from its file between its quotes
// as it is, and is in memory never as a whole.
import type { Json } from "../../../core/json.ts";
import type { HeldText } from "./held-text.ts";
import { piecesOfHeld, type HeldTexts } from "./texts.ts";

const encoder = new TextEncoder();
const words = /"(held-[0-9a-f]{32})"/g;

/** Words of other requests, and texts that only look like words, stand for themselves. */
export async function* jsonPieces(value: Json, held: HeldTexts): AsyncIterable<Uint8Array> {
  const json = JSON.stringify(value);
  let from = 0;
  for (const match of json.matchAll(words)) {
    const text = held.find(match[1] ?? "");
    if (!text) continue;
    yield encoder.encode(json.slice(from, match.index + 1));
    yield* text.isBase64 ? piecesOfHeld(text) : escapedPieces(text);
    from = match.index + match[0].length - 1;
  }
  yield encoder.encode(json.slice(from));
}

async function* escapedPieces(text: HeldText): AsyncIterable<Uint8Array> {
  const decoder = new TextDecoder();
  for await (const piece of piecesOfHeld(text)) {
    yield escape(decoder.decode(piece, { stream: true }));
  }
  yield escape(decoder.decode());
}

function escape(text: string): Uint8Array {
  return encoder.encode(JSON.stringify(text).slice(1, -1));
}
