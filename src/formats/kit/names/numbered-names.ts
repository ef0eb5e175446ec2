// Names of which no two are alike: a name that is taken gets the next free number behind it.

export class NumberedNames {
  readonly #write: (name: string, count: number) => string;
  readonly #taken = new Set<string>();
  /** Numbers that repeated names get next: to count from the start each time is squared work. */
  readonly #nextCounts = new Map<string, number>();

  /** No two pairs of a name and a count may be written alike. */
  constructor(write: (name: string, count: number) => string) {
    this.#write = write;
  }

  /** The name itself where it is free, and otherwise with a number. */
  take(name: string): string {
    const free = this.#taken.has(name) ? this.#numbered(name) : name;
    this.#taken.add(free);
    return free;
  }

  #numbered(name: string): string {
    let count = this.#nextCounts.get(name) ?? 2;
    let numbered = this.#write(name, count++);
    while (this.#taken.has(numbered)) numbered = this.#write(name, count++);
    this.#nextCounts.set(name, count);
    return numbered;
  }
}
