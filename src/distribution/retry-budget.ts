// Retries are a share of the requests, so that an outage upstream is not multiplied. Each account
// has a share of its own on each channel: who fails often uses up nobody else's failover. A small
// float lets one that is quiet fail over at all.
import type { AccountId } from "../core/ids.ts";
import { Lru } from "../core/lru.ts";
import type { Channel } from "./channel.ts";

const floor = 5;
const cap = 1000;
const sharesMax = 10_000;

interface Share {
  credit: number;
}

export class RetryBudget {
  readonly #earned: number;
  readonly #shares = new Lru<string, Share>(sharesMax);

  constructor(percent: number) {
    this.#earned = percent / 100;
  }

  /** Each request earns a part of a retry, on the channel that it is sent to first. */
  earn(accountId: AccountId, channel: Channel): void {
    const share = this.#share(accountId, channel);
    share.credit = Math.min(share.credit + this.#earned, cap);
  }

  /** False when retries after failures of this channel have had their share. */
  spend(accountId: AccountId, channel: Channel): boolean {
    const share = this.#share(accountId, channel);
    if (share.credit < 1) return false;
    share.credit--;
    return true;
  }

  #share(accountId: AccountId, { settings }: Channel): Share {
    const name = `${accountId} ${settings.id}`;
    const known = this.#shares.get(name);
    if (known) return known;
    const share = { credit: floor };
    this.#shares.set(name, share);
    return share;
  }
}
