// JSON that is too large for memory, read as it comes: its long texts are handed out piece by
// piece, unescaped, and a short word stands in their place in what is left to parse.
import { JsonError, parseJson, type Json } from "../../../core/json.ts";
import { GrowingBytes } from "./growing-bytes.ts";
import { Unescaper } from "./unescape.ts";

/** Told of one long text after the other. */
export interface LongTexts {
  /** The word that stands for it; ASCII without quotes and backslashes. */
  begin(): string;
  /** `isBase64` is false when the piece has a letter that no base64 has. */
  write(piece: Uint8Array, isBase64: boolean): void;
  end(): void;
}

export interface SplitLimits {
  /** A text that takes more bytes than this, as it is written in the JSON, is a long one. */
  textBytesMax: number;
  textsMax: number;
  /** Length of the rest without the long texts. */
  restBytesMax: number;
}

export const splitLimits: SplitLimits = {
  textBytesMax: 64 * 1024,
  textsMax: 64,
  restBytesMax: 8 * 1024 * 1024,
};

const quote = 34;
const backslash = 92;

export class JsonSplitter {
  readonly #texts: LongTexts;
  readonly #limits: SplitLimits;
  readonly #rest: GrowingBytes;
  /** Start of the text being read, within the rest; null outside of texts. */
  #textFrom: number | null = null;
  #long: Unescaper | null = null;
  #count = 0;
  /** Backslashes right before the next byte, as far as they matter: whether they are odd. */
  #isEscaped = false;

  constructor(texts: LongTexts, limits: SplitLimits = splitLimits) {
    this.#texts = texts;
    this.#limits = limits;
    this.#rest = new GrowingBytes(limits.restBytesMax);
  }

  /** Throws JsonError for what cannot become valid any more or goes past a limit. */
  push(chunk: Uint8Array): void {
    let at = 0;
    while (at < chunk.length) {
      at = this.#textFrom === null ? this.#takeRest(chunk, at) : this.#takeText(chunk, at);
    }
  }

  /** Throws JsonError where parseJson would, of the whole. */
  end(): Json {
    if (this.#textFrom !== null) throw new JsonError("body is not valid JSON");
    return parseJson(this.#rest.bytes);
  }

  #takeRest(chunk: Uint8Array, from: number): number {
    const at = chunk.indexOf(quote, from);
    const end = at === -1 ? chunk.length : at + 1;
    this.#rest.append(chunk.subarray(from, end));
    if (at !== -1) this.#textFrom = this.#rest.length;
    return end;
  }

  #takeText(chunk: Uint8Array, from: number): number {
    const end = this.#endOfText(chunk, from);
    const piece = chunk.subarray(from, end ?? chunk.length);
    if (!this.#long && this.#isLongWith(piece)) this.#begin();
    if (this.#long) this.#write(this.#long.push(piece));
    else this.#rest.append(piece);
    if (end === null) return chunk.length;
    if (this.#long) this.#finish(this.#long);
    this.#rest.append(chunk.subarray(end, end + 1));
    this.#textFrom = null;
    return end + 1;
  }

  /** The index of the quote that closes the text, or null when it is not in the chunk. */
  #endOfText(chunk: Uint8Array, from: number): number | null {
    let at = chunk.indexOf(quote, from);
    while (at !== -1 && this.#isEscapedAt(chunk, from, at)) at = chunk.indexOf(quote, at + 1);
    this.#isEscaped = at === -1 && this.#isEscapedAt(chunk, from, chunk.length);
    return at === -1 ? null : at;
  }

  #isEscapedAt(chunk: Uint8Array, from: number, at: number): boolean {
    let first = at;
    while (first > from && chunk[first - 1] === backslash) first--;
    const isOdd = (at - first) % 2 === 1;
    return first === from && this.#isEscaped ? !isOdd : isOdd;
  }

  #isLongWith(piece: Uint8Array): boolean {
    const length = this.#rest.length - (this.#textFrom ?? 0) + piece.length;
    return length > this.#limits.textBytesMax;
  }

  #begin(): void {
    if (++this.#count > this.#limits.textsMax) throw new JsonError("JSON has too many long texts");
    const before = this.#rest.cut(this.#textFrom ?? 0);
    this.#rest.append(new TextEncoder().encode(this.#texts.begin()));
    this.#long = new Unescaper();
    this.#write(this.#long.push(before));
  }

  #write(piece: Uint8Array): void {
    if (piece.length > 0) this.#texts.write(piece, this.#long?.isBase64 ?? false);
  }

  #finish(long: Unescaper): void {
    this.#write(long.end());
    this.#texts.end();
    this.#long = null;
  }
}
