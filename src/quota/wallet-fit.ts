// A hold that shrinks to what the wallet covers, where the client named no bound on the output: the
// bound that is sent shrinks with it, so that who can pay for an answer gets one.
import type { Micros } from "../core/money.ts";
import type { Shrink } from "./ledger.ts";
import type { RequestBound } from "./estimate.ts";
import { textHold, type PriceSnapshot } from "./price.ts";

/** An answer of fewer tokens is none. */
export const tokensLeast = 1024;
/** Past this one request takes half of what is left, so that others beside it are served too. */
export const tokensAmple = 16_384;

interface FitAsk {
  price: PriceSnapshot;
  bound: RequestBound;
  choices: number;
  /** Output of each answer below which nothing is held. */
  tokensMin: number;
  /** Whether every channel sends the bound on, without which nothing may shrink. */
  isSent(): boolean;
}

export class WalletFit implements Shrink {
  readonly #ask: FitAsk;

  constructor(ask: FitAsk) {
    this.#ask = ask;
  }

  get leastMicros(): Micros {
    const { bound, isSent, tokensMin } = this.#ask;
    return this.#holdOf(isSent() ? tokensMin : bound.outputTokensMax);
  }

  within(roomMicros: number): Micros | null {
    if (!this.#ask.isSent() || this.leastMicros > roomMicros) return null;
    const ample = this.#holdOf(tokensAmple);
    const share = Math.max(Math.min(roomMicros, ample), Math.floor(roomMicros / 2));
    return this.#holdOf(this.#tokensWithin(share));
  }

  /** The bound that was paid for. */
  boundOf(heldMicros: number): RequestBound {
    const { bound, choices } = this.#ask;
    const outputTokensMax = this.#tokensWithin(heldMicros) * choices;
    return { ...bound, outputTokensMax, isOfWallet: true };
  }

  /** Output tokens of each answer that this many micros cover. */
  #tokensWithin(micros: number): number {
    const { bound, choices } = this.#ask;
    let [low, high] = [0, Math.floor(bound.outputTokensMax / choices)];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#holdOf(middle) <= micros) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #holdOf(tokens: number): Micros {
    const { price, bound, choices } = this.#ask;
    const outputTokensMax = Math.min(tokens * choices, bound.outputTokensMax);
    return textHold(price, { ...bound, outputTokensMax });
  }
}
