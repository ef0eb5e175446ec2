// The responses that were stored, each for the key that made it. The oldest go first when there
// are too many of them or when they hold too much.
import type { Item } from "./items.ts";

export interface StoredResponse {
  response: object;
  /** The whole conversation up to it, and what it answered. */
  input: readonly Item[];
  output: readonly Item[];
  /** Roughly what input and output hold. */
  characters: number;
}

const responsesMax = 2000;
const charactersMax = 64 * 1024 * 1024;

export class ResponseMemory {
  readonly #stored = new Map<string, StoredResponse>();
  #characters = 0;

  get(bearer: string, id: string): StoredResponse | null {
    return this.#stored.get(nameOf(bearer, id)) ?? null;
  }

  keep(bearer: string, id: string, stored: StoredResponse): void {
    this.#stored.set(nameOf(bearer, id), stored);
    this.#characters += stored.characters;
    for (const name of this.#stored.keys()) {
      if (this.#stored.size <= responsesMax && this.#characters <= charactersMax) return;
      this.#drop(name);
    }
  }

  /** False when there was none. */
  forget(bearer: string, id: string): boolean {
    return this.#drop(nameOf(bearer, id));
  }

  /** An item of any stored response. */
  findItem(bearer: string, id: string): Item | null {
    for (const [name, { input, output }] of this.#stored) {
      if (!name.startsWith(nameOf(bearer, ""))) continue;
      const found = [...output, ...input].find((item) => item.id === id);
      if (found) return found;
    }
    return null;
  }

  #drop(name: string): boolean {
    const stored = this.#stored.get(name);
    if (!stored) return false;
    this.#characters -= stored.characters;
    return this.#stored.delete(name);
  }
}

/** A key holds no blank. */
function nameOf(bearer: string, id: string): string {
  return `${bearer} ${id}`;
}
