// Limits of caps that are lowered and raised while nodes spend under them.
import { freshCap, type CapTerms } from "../../../src/quota/cap.ts";
import { Dice } from "../dice.ts";
import { BrokenPromise } from "../failure.ts";
import type { BookRows } from "./book-rows.ts";
import type { SimulatedNode } from "./node.ts";

export class LimitChanges {
  readonly #dice: Dice;
  /** Limits that each cap may have: the last that was acknowledged, and one asked for since. */
  readonly #allowed = new Map<string, number[]>();

  constructor(seed: number) {
    this.#dice = new Dice(seed);
  }

  /** One change by some node, unless another of its cap is under way. */
  change(caps: readonly CapTerms[], living: readonly SimulatedNode[], rows: BookRows): void {
    const dice = this.#dice;
    if (caps.length === 0 || living.length === 0 || dice.chance(0.5)) return;
    const [terms, node] = [dice.pick(caps), dice.pick(living)];
    const row = rows.caps.get(terms.id);
    if (!row) return;
    const { id } = terms;
    const before = this.#allowed.get(id) ?? [row.whole];
    if (before.length > 1) return;
    const budgetMicros = dice.pick([0, dice.between(0, 500), dice.between(100, 6000)]);
    this.#allowed.set(id, [...before, budgetMicros]);
    const cap = { ...freshCap(terms), limitMicros: row.whole };
    node.ledger.limitCap(cap, { budgetMicros, carriedMicros: 0, raisedMicros: 0 }).then(
      () => this.#allowed.set(id, [budgetMicros]),
      () => undefined,
    );
  }

  check(rows: BookRows): void {
    for (const [id, { whole, limit }] of rows.caps) {
      const allowed = this.#allowed.get(id);
      if (allowed && !allowed.includes(whole)) {
        throw new BrokenPromise(`${id} has a limit of ${whole}, and not of ${allowed}`);
      }
      const { spent, held } = rows.usedOfCap(id);
      const idle = rows.idleOfCap(id);
      if (limit !== null && idle > Math.max(0, limit - spent - held)) {
        throw new BrokenPromise(`${idle} of ${id} is with nodes beyond its limit of ${limit}`);
      }
    }
  }
}
