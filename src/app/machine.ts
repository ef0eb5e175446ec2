// The machine that a gateway runs on: its time, its memory, and its threads. That of the tokenizer
// several may share, as it keeps nothing between calls; those of a data folder serve another one
// once they have closed it. The program gives it the real one; a test may give it another, and run
// several gateways in one process.
import { startCounting } from "../gateway/text/meter/meter.ts";
import type { CountingWorker } from "../gateway/text/meter/thread.ts";
import { systemThreads, type FolderThreads } from "../store/sqlite/open.ts";
import { systemClock, systemSoon, systemTimers, type Clock, type Timers } from "../core/clock.ts";

export interface Machine {
  /** The machine's own, also where nodes go by the database's. */
  clock: Clock;
  timers: Timers;
  /** At the end of this turn of the event loop. */
  soon(run: () => void): void;
  rssBytes(): number;
  startCounting(): CountingWorker;
  threads: FolderThreads;
}

export const systemMachine: Machine = {
  clock: systemClock,
  timers: systemTimers,
  soon: systemSoon,
  // Not `memoryUsage.rss()`: asking for the whole also has the runtime look at its heap, without
  // which a burst of streams leaves a limit so high that garbage piles up to a gigabyte.
  rssBytes: () => process.memoryUsage().rss,
  startCounting,
  threads: systemThreads,
};

/** Timers of one gateway: closed with it, so that nothing of it runs on in its process. */
export class OwnTimers implements Timers {
  readonly #timers: Timers;
  readonly #recurring = new Set<() => void>();
  #isClosed = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  after(delayMs: number, run: () => void): () => void {
    return this.#timers.after(delayMs, () => {
      if (!this.#isClosed) run();
    });
  }

  every(periodMs: number, run: () => void): () => void {
    const stop = this.#timers.every(periodMs, run);
    this.#recurring.add(stop);
    return () => {
      this.#recurring.delete(stop);
      stop();
    };
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#recurring) stop();
    this.#recurring.clear();
  }
}
