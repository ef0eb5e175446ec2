// Retries are a share of the requests, so that an outage upstream is not multiplied. Each account
// has a share of its own on each channel: who fails often uses up nobody else's failover. A small
// float lets one that is quiet fail over at all.
import type { AccountId, ChannelId } from "../core/ids.ts";
import { Lru } from "../core/lru.ts";
import type { Channel } from "./channel.ts";

const floor = 5;
const cap = 1000;
const accountsMax = 10_000;

interface Share {
  credit: number;
}

export class RetryBudget {
  readonly #earned: number;
  readonly #shares = new Lru<AccountId, Map<ChannelId, Share>>(accountsMax);

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
    let shares = this.#shares.get(accountId);
    if (!shares) this.#shares.set(accountId, (shares = new Map()));
    let share = shares.get(settings.id);
    if (!share) shares.set(settings.id, (share = { credit: floor }));
    return share;
  }
}
