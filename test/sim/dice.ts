// Seeded chance: one seed rolls the same history on every machine.

export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = scramble(seed + 1);
  }

  /** In [0, 1), by the generator known as mulberry32. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return scramble(this.#state) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  /** Whole, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1));
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.between(0, items.length - 1)];
    if (item === undefined) throw new RangeError("there is nothing to pick from");
    return item;
  }

  /** Takes one item out of the list, or nothing when it is empty. */
  take<Item>(items: Item[]): Item | undefined {
    return items.splice(this.between(0, items.length - 1), 1)[0];
  }
}

function scramble(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 15), value | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
