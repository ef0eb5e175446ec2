// Chance that a seed decides: the same month every time.
import { createDraw, seedOf } from "../../sandbox/writer/seed.ts";

const steps = Array.from({ length: 10_000 }, (_, at) => at / 10_000);

export class Chance {
  readonly #draw;

  constructor(seed: string) {
    this.#draw = createDraw(seedOf(seed));
  }

  /** From 0 to 1, without the 1. */
  part(): number {
    return this.#draw(steps) ?? 0;
  }

  between(least: number, most: number): number {
    return Math.round(least + this.part() * (most - least));
  }

  isWithin(share: number): boolean {
    return this.part() < share;
  }

  one<Item>(items: readonly Item[]): Item {
    const item = this.#draw(items);
    if (item === undefined) throw new Error("there is nothing to choose from");
    return item;
  }
}
