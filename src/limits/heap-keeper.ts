// Has the garbage collected that the runtime lets lie. After a burst of streams its heap may be
// filled up to a limit that is far above what is in use, and it looks again only when that is
// reached: memory that nobody needs would be taken from the machine, and refused to requests.
import type { Stop, Timers } from "../core/clock.ts";

interface HeapKeeperNeeds {
  rssBytes(): number;
  /** Collects at once; what is in use is found again, so it takes the longer the more that is. */
  collect(): void;
  timers: Timers;
}

const samplePeriodMs = 1000;
/** Below this it is never worth the time. */
const floorBytes = 192 * 1024 * 1024;
/**
 * Growth over the rest of last time, which may really be in use: only well above it is something to
 * be found.
 */
const growth = 1.5;

export class HeapKeeper {
  readonly #needs: HeapKeeperNeeds;
  readonly #stop: Stop;
  #leftBytes = 0;

  constructor(needs: HeapKeeperNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(samplePeriodMs, () => this.#sample());
  }

  close(): void {
    this.#stop();
  }

  #sample(): void {
    const { rssBytes, collect } = this.#needs;
    const bytes = rssBytes();
    // Bytes given back since then are not waited for again.
    this.#leftBytes = Math.min(this.#leftBytes, bytes);
    if (bytes < floorBytes || bytes < this.#leftBytes * growth) return;
    collect();
    this.#leftBytes = rssBytes();
  }
}
