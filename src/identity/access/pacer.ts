// Slows down who tries too often: some tries are free, each further one makes the next wait twice
// as long, up to a cap, and every quiet stretch pays one try back. Nobody is shut out for good.
// Each of several nodes has its share of the pace: whoever goes from one to the next gains nothing.
import type { Clock } from "../../core/clock.ts";
import { Lru } from "../../core/lru.ts";

export interface GuessPace {
  /** Tries in a row that cost no wait. */
  triesFree: number;
  /** The quiet time that pays one try back, which is also the pace of one who never stops. */
  paybackMs: number;
  /** The longest wait. */
  waitMsMax: number;
}

interface State {
  tries: number;
  countedAtMs: number;
  openAtMs: number;
}

const firstWaitMs = 1000;
/** Past it the one who tried longest ago starts afresh: a lesser evil than growing without end. */
const statesMax = 65_536;

export class Pacer {
  readonly #clock: Clock;
  readonly #pace: GuessPace;
  readonly #nodes: () => number;
  readonly #states: Lru<string, State>;

  constructor(
    clock: Clock,
    pace: GuessPace,
    nodes: () => number = () => 1,
    statesCap: number = statesMax,
  ) {
    this.#clock = clock;
    this.#pace = pace;
    this.#nodes = nodes;
    this.#states = new Lru(statesCap);
  }

  get size(): number {
    return this.#states.size;
  }

  /** Wait before the next try. Asking costs nothing. */
  waitMs(who: string): number {
    const state = this.#states.get(who);
    return state ? Math.max(0, state.openAtMs - this.#clock.monotonicMs()) : 0;
  }

  count(who: string): void {
    const nowMs = this.#clock.monotonicMs();
    const tries = this.#triesOf(who, nowMs) + 1;
    const openAtMs = nowMs + this.#waitAfter(tries);
    this.#states.set(who, { tries, countedAtMs: nowMs, openAtMs });
  }

  /** One try less, for one that turned out to be no guess. */
  forgive(who: string): void {
    const state = this.#states.get(who);
    if (state) state.tries = Math.max(0, state.tries - 1);
  }

  forget(who: string): void {
    this.#states.delete(who);
  }

  #triesOf(who: string, nowMs: number): number {
    const state = this.#states.get(who);
    if (!state) return 0;
    const paidBack = (nowMs - state.countedAtMs) / (this.#pace.paybackMs * this.#nodes());
    return Math.max(0, state.tries - paidBack);
  }

  #waitAfter(tries: number): number {
    const { triesFree, waitMsMax } = this.#pace;
    const nodes = this.#nodes();
    const beyond = Math.round(tries - Math.ceil(triesFree / nodes));
    if (beyond < 1) return 0;
    return Math.min(waitMsMax, firstWaitMs * 2 ** (beyond - 1)) * nodes;
  }
}
