// Money that nobody has taken, whoever has it: what is with a node, with a dead one, in the bank or
// on its way is there for the next one who asks. Counted apart from ledgers and database, so that
// it tells a refusal for want of money that was there.

interface Taking {
  id: string;
  micros: number;
  /** The account, the key and the caps that it is taken from. */
  from: readonly string[];
}

/** A request that waits for its verdict. */
export interface Asking {
  leastMicros: number;
  parts: readonly (Part & {
    limitThen: number;
    changesThen: number;
    everThen: number;
    takenThen: number;
  })[];
}

/** One that may refuse it. */
export interface Part {
  id: string;
  /** Code of its refusals. */
  code: string;
  /** Refuses once as much is spent, however much is held. */
  isStop: boolean;
  /** All that there is of it, taken or not. */
  limitMicros(): number;
  /** Every other limit that it was given so far. */
  limitChanges?(): readonly number[];
}

export class FreeMoney {
  readonly #held = new Map<string, Taking>();
  /** Micros by part: held now or spent, ever held, and spent. */
  readonly #taken = new Sums();
  readonly #ever = new Sums();
  readonly #spent = new Sums();

  ask(leastMicros: number, parts: readonly Part[]): Asking {
    const noted = parts.map((part) => ({
      ...part,
      limitThen: part.limitMicros(),
      changesThen: part.limitChanges?.().length ?? 0,
      takenThen: this.#taken.of(part.id),
      everThen: this.#ever.of(part.id),
    }));
    return { leastMicros, parts: noted };
  }

  take(taking: Taking): void {
    this.#held.set(taking.id, taking);
    for (const id of taking.from) {
      this.#taken.add(id, taking.micros);
      this.#ever.add(id, taking.micros);
    }
  }

  /** Perhaps the database never hears of it. */
  charge(id: string, chargedMicros: number): void {
    const taking = this.#held.get(id);
    const past = chargedMicros - (taking?.micros ?? 0);
    for (const part of taking?.from ?? []) {
      this.#spent.add(part, chargedMicros);
      this.#taken.add(part, Math.max(0, past));
      this.#ever.add(part, Math.max(0, past));
    }
  }

  /**
   * Frees what is not charged of it, once that is acknowledged: until then it is held where others
   * look. Holds that are lost stay taken, as nobody tells of them.
   */
  end(id: string, chargedMicros: number): void {
    const taking = this.#held.get(id);
    if (!this.#held.delete(id) || !taking) return;
    for (const part of taking.from) {
      this.#taken.add(part, Math.min(0, chargedMicros - taking.micros));
    }
  }

  /** Null where one of those that may have refused it had too little. */
  falselyRefused({ leastMicros, parts }: Asking, code: string): string | null {
    const found = parts
      .filter((part) => part.code === code)
      .map((part) => ({ id: part.id, micros: this.#left(part) }));
    if (found.length === 0 || found.some(({ micros }) => micros < leastMicros)) return null;
    return `${leastMicros} refused by ${code} with ${found.map((one) => `${one.micros} of ${one.id}`)}`;
  }

  /** Micros that were free as it came, and that nobody has taken since. */
  #left(part: Asking["parts"][number]): number {
    const { id, isStop, limitThen, changesThen, takenThen, everThen } = part;
    // One that stops goes by what its node was told a turn ago.
    const changes = part.limitChanges?.().slice(isStop ? 0 : changesThen) ?? [];
    const limit = Math.min(limitThen, part.limitMicros(), ...changes);
    if (isStop) return this.#spent.of(id) < limit ? Infinity : -Infinity;
    return limit - takenThen - (this.#ever.of(id) - everThen);
  }
}

class Sums {
  readonly #sums = new Map<string, number>();

  add(id: string, by: number): void {
    this.#sums.set(id, this.of(id) + by);
  }

  of(id: string): number {
    return this.#sums.get(id) ?? 0;
  }
}
