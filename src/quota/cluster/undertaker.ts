// What the living do with dead nodes: their leases have run out, what they were lent goes back, and
// what their requests held is given back, with all that it may have cost as a loss.
import type { Clock, Timers } from "../../core/clock.ts";
import type { Folded, Turns } from "../../store/turns.ts";
import { holdOf, type HoldRow } from "../rows.ts";
import type { TurnTaker } from "./turn-taker.ts";

interface BuryNeeds {
  turns: Turns;
  clock: Clock;
  /** Has the log know of requests that died with their node. */
  recovered(holds: readonly HoldRow[]): Promise<void>;
  buried(nodes: readonly string[]): void;
}

interface UndertakerNeeds extends BuryNeeds {
  taker: TurnTaker;
  timers: Timers;
  faulted(error: unknown): void;
}

const everyMs = 2000;
const accountsAtOnce = 500;

export class Undertaker {
  readonly #needs: UndertakerNeeds;
  #isBusy = false;

  constructor(needs: UndertakerNeeds) {
    this.#needs = needs;
    needs.timers.every(everyMs, () => void this.#look());
  }

  async #look(): Promise<void> {
    const { taker, faulted } = this.#needs;
    if (this.#isBusy || !taker.mayBury) return;
    this.#isBusy = true;
    try {
      await this.bury();
    } catch (error) {
      faulted(error);
    } finally {
      this.#isBusy = false;
    }
  }

  async bury(): Promise<void> {
    await buryDead(this.#needs);
  }
}

/** May be interrupted anywhere: each step leaves the book whole. */
export async function buryDead({ turns, clock, recovered, buried }: BuryNeeds): Promise<void> {
  const dead = await turns.bury();
  if (dead.length > 0) buried(dead);
  for (;;) {
    const folded: Folded = await turns.fold(accountsAtOnce, clock.nowMs());
    if (folded.holds.length > 0) await recovered(folded.holds.map(holdOf));
    if (folded.slices === 0) break;
  }
  await turns.tidy();
}
