// Deadlines for many waits at once: one coarse tick watches them all, so that a request pays for
// an entry in a set instead of a timer of its own.
import type { Clock, Stop, Timers } from "./clock.ts";
import { LinkedSet, type Linked } from "./linked-set.ts";

export interface Watch {
  /**
   * Moves the deadline. Counts from the tick to come, so that it passes a tick late rather than
   * early. One that has passed is set anew, one that was ended stays ended.
   */
  extend(inMs: number): void;
  /** For ever: the deadline does not pass any more. */
  end(): void;
}

interface Board {
  waiting: LinkedSet<Entry>;
  clock: Clock;
  /** Every piece of a stream moves deadlines: asking the clock each time would be felt. */
  nextTickMs: number;
}

const tickMs = 100;

export class Deadlines {
  readonly #board: Board;
  readonly #stop: Stop;
  readonly #onError: (error: unknown) => void;

  /** `onError` is told what an `expired` throws; without it the error ends up uncaught. */
  constructor(clock: Clock, timers: Timers, onError: (error: unknown) => void = rethrow) {
    this.#board = { waiting: new LinkedSet(), clock, nextTickMs: clock.monotonicMs() + tickMs };
    this.#onError = onError;
    this.#stop = timers.every(tickMs, () => this.#sweep());
  }

  get size(): number {
    return this.#board.waiting.size;
  }

  /** Calls `expired` once unless the watch ends before. */
  watch(inMs: number, expired: () => void): Watch {
    return new Entry(this.#board, inMs, expired);
  }

  close(): void {
    this.#stop();
    for (const entry of this.#board.waiting.all()) entry.end();
  }

  #sweep(): void {
    const nowMs = this.#board.clock.monotonicMs();
    this.#board.nextTickMs = nowMs + tickMs;
    // Gathered first: one that is set anew while it passes has to wait for the next tick.
    const due = this.#board.waiting.all().filter((entry) => entry.atMs <= nowMs);
    for (const entry of due) {
      if (!entry.passes(nowMs)) continue;
      try {
        entry.expired();
      } catch (error) {
        this.#onError(error);
      }
    }
  }
}

/** Thrown where nobody can catch it, but only after the sweep. */
function rethrow(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

/** Several are made for every request, so it is one small object with shared methods. */
class Entry implements Watch, Linked<Entry> {
  next: Entry | null = null;
  previous: Entry | null = null;
  atMs: number;
  readonly expired: () => void;
  readonly #board: Board;
  #state: "waiting" | "passed" | "ended" = "waiting";

  constructor(board: Board, inMs: number, expired: () => void) {
    this.#board = board;
    this.atMs = board.clock.monotonicMs() + inMs;
    this.expired = expired;
    board.waiting.add(this);
  }

  extend(inMs: number): void {
    if (this.#state === "ended") return;
    this.atMs = this.#board.nextTickMs + inMs;
    if (this.#state === "waiting") return;
    this.#state = "waiting";
    this.#board.waiting.add(this);
  }

  end(): void {
    if (this.#state === "waiting") this.#board.waiting.delete(this);
    this.#state = "ended";
  }

  /** Another deadline of the same tick may have ended or moved this one. */
  passes(nowMs: number): boolean {
    if (this.#state !== "waiting" || this.atMs > nowMs) return false;
    this.#state = "passed";
    return this.#board.waiting.delete(this);
  }
}
