// The rest of a stream of events for a client that has the first of them: whole events are left
// out, however the pieces are cut, and comments are no events.
import type { ByteSource } from "../../answer.ts";

const lineFeed = 10;
const carriageReturn = 13;
/** Only one field begins with it, which is what makes an event. */
const dataStart = "d".charCodeAt(0);

export class RestOfEvents implements ByteSource {
  readonly #source: ByteSource;
  #left: number;
  #isLineStart = true;
  #isCarried = false;
  #hasData = false;

  /** Leaves out the first so many. */
  constructor(source: ByteSource, left: number) {
    this.#source = source;
    this.#left = left;
  }

  get isWhole(): boolean {
    return this.#source.isWhole !== false;
  }

  take(ready: () => void): Uint8Array | null | undefined {
    for (;;) {
      const piece = this.#source.take(ready);
      if (!piece || this.#left === 0) return piece;
      const rest = piece.subarray(this.#pass(piece));
      if (rest.length > 0) return rest;
    }
  }

  cancel(): void {
    this.#source.cancel();
  }

  interrupt(): void {
    this.#source.interrupt();
  }

  /** The count of bytes that belong to what is left out. */
  #pass(piece: Uint8Array): number {
    for (const [at, byte] of piece.entries()) {
      const isSecondHalf = this.#isCarried && byte === lineFeed;
      this.#isCarried = byte === carriageReturn;
      if (isSecondHalf) continue;
      const isEnd = byte === lineFeed || byte === carriageReturn;
      if (isEnd && this.#isLineStart && this.#hasData) {
        this.#hasData = false;
        this.#left--;
        if (this.#left === 0) return at + 1;
      }
      this.#hasData ||= this.#isLineStart && byte === dataStart;
      this.#isLineStart = isEnd;
    }
    return piece.length;
  }
}
