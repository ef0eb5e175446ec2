// Bytes that are there already, for a client in its own time: files, and JSON with files in it.
import { Later } from "../../core/later.ts";
import type { ByteSource } from "../answer.ts";

interface PiecesRules {
  /** Called once, when the last piece is taken or nobody takes any more. */
  ended?(): Promise<void>;
  /** True for a source so long that a stop does not wait for its end. */
  isCutShort?: boolean;
}

export class PiecesSource implements ByteSource {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #rules: PiecesRules;
  readonly #later = new Later(() => this.#pull());
  #isOver = false;

  constructor(pieces: AsyncIterable<Uint8Array>, rules: PiecesRules = {}) {
    this.#pieces = pieces[Symbol.asyncIterator]();
    this.#rules = rules;
  }

  /** Nothing may be put between the pieces. */
  get isWhole(): boolean {
    return false;
  }

  take(ready: () => void): Uint8Array | null | undefined {
    return this.#later.take(ready);
  }

  cancel(): void {
    // Nobody is left who could be told that it did not end well.
    this.#end().catch(() => {});
  }

  interrupt(): void {
    if (this.#rules.isCutShort) this.cancel();
  }

  async #pull(): Promise<Uint8Array | null> {
    try {
      const { value, done } = await this.#pieces.next();
      if (done !== true) return value;
      await this.#end();
      return null;
    } catch (error) {
      await this.#end();
      throw error;
    }
  }

  async #end(): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    await this.#pieces.return?.();
    await this.#rules.ended?.();
  }
}
