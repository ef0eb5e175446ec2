// A growable buffer with a limit: bytes lie in one piece however small they come.
import { JsonError } from "../../../core/json.ts";

const bytesFirst = 4096;

export class GrowingBytes {
  readonly #bytesMax: number;
  #buffer = new Uint8Array(bytesFirst);
  #length = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytesMax) {
      throw new JsonError(`JSON has more than ${this.#bytesMax} bytes besides its long texts`);
    }
    if (length > this.#buffer.length) this.#grow(length);
    this.#buffer.set(piece, this.#length);
    this.#length = length;
  }

  /** Takes away what lies behind the first `length` bytes, and returns it. */
  cut(length: number): Uint8Array {
    const rest = this.#buffer.slice(length, this.#length);
    this.#length = length;
    return rest;
  }

  #grow(length: number): void {
    const larger = new Uint8Array(Math.max(length, this.#buffer.length * 2));
    larger.set(this.bytes);
    this.#buffer = larger;
  }
}
