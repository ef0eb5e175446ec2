// Costs that a channel had: whoever was admitted under one is counted at it, however late it ends
// and whatever the channel's settings say by then.
import type { ChannelCost } from "../config/price-parts.ts";

interface PastCost {
  cost: ChannelCost;
  untilMs: number;
}

/** Longer than any request or task runs. */
const keptMs = 172_800_000;
const countMax = 100;

export class CostHistory {
  #past: readonly PastCost[] = [];

  /** Notes the one that was in force until now, where the next one is another. */
  replace(before: ChannelCost, next: ChannelCost, nowMs: number): void {
    if (Bun.deepEquals(before, next)) return;
    const young = this.#past.filter(({ untilMs }) => untilMs > nowMs - keptMs);
    this.#past = [...young, { cost: before, untilMs: nowMs }].slice(-countMax);
  }

  /** The one that was in force at the moment. */
  find(atMs: number, now: ChannelCost): ChannelCost {
    return this.#past.find(({ untilMs }) => atMs < untilMs)?.cost ?? now;
  }
}
