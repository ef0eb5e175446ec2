// Keys that a vendor has refused without a word that it is the key. Whether it is, the vendor's
// free call says, behind the requests, or several accounts that met the same. Until then nothing
// changes.
import type { Clock } from "../core/clock.ts";
import type { AccountId } from "../core/ids.ts";
import { describe } from "../core/log.ts";
import type { Channel, ChannelKey } from "../distribution/channel.ts";
import type { Choice } from "../distribution/choose.ts";
import { Doubt, type KeyRefusal } from "../distribution/doubt.ts";
import { upstreams } from "../upstreams/index.ts";
import { VendorRefusal } from "../upstreams/upstream.ts";
import { checkKey, type CheckKeyNeeds, type KeyCheck } from "./check-key.ts";
import { concealer } from "./conceal.ts";

interface KeyWatchNeeds {
  clock: Clock;
  checking: CheckKeyNeeds;
  /** It is proven: the key is disabled. */
  refused(channel: Channel, key: ChannelKey, reason: string): void;
  /** Whether anybody but these has asked for anything of late. */
  hasOthers(accounts: readonly AccountId[]): Promise<boolean>;
}

const checksMax = 8;

export class KeyWatch {
  readonly #needs: KeyWatchNeeds;
  #checks = 0;

  constructor(needs: KeyWatchNeeds) {
    this.#needs = needs;
  }

  suspect(choice: Choice, refusal: KeyRefusal): void {
    const { channel, key } = choice;
    if (channel.settings.keepsKeys || !key.isEnabled) return;
    const doubt = (key.doubt ??= new Doubt());
    const nowMs = this.#needs.clock.monotonicMs();
    if (this.#isProven(choice, doubt, refusal)) {
      this.#disable(choice, refusal.reason);
      return;
    }
    if (refusal.isOfCredit && doubt.isSpentForLong(nowMs)) void this.#ask(choice, doubt, refusal);
    if (!upstreams[channel.settings.type]?.check || this.#checks >= checksMax) return;
    if (doubt.beginCheck(nowMs)) void this.#check(choice, doubt, refusal);
  }

  /** Proof is a refusal of several accounts, where no free call can tell. */
  #isProven({ channel }: Choice, doubt: Doubt, refusal: KeyRefusal): boolean {
    const { accountId, isOfCredit, namesObjects } = refusal;
    if (namesObjects && !isOfCredit) return false;
    const isMetBySeveral = doubt.isMetBySeveral(accountId, this.#needs.clock.monotonicMs());
    const canTell = upstreams[channel.settings.type]?.check && doubt.isCheckable && !isOfCredit;
    return isMetBySeveral && !canTell;
  }

  /** All accounts must have met it where too few are there to confirm it. */
  async #ask(choice: Choice, doubt: Doubt, { reason }: KeyRefusal): Promise<void> {
    const before = doubt.clears;
    if (await this.#needs.hasOthers(doubt.accounts)) return;
    if (doubt.clears === before) this.#disable(choice, reason);
  }

  async #check(choice: Choice, doubt: Doubt, { isOfCredit }: KeyRefusal): Promise<void> {
    const { channel, key } = choice;
    const before = doubt.clears;
    this.#checks++;
    const keyCheck = await checkKey(this.#needs.checking, { settings: channel.settings, key });
    this.#checks--;
    const verdict = verdictOf(keyCheck);
    doubt.endCheck(verdict !== "unclear");
    if (verdict === "good" && !isOfCredit) doubt.clear();
    // A client that was served in the meantime has proven more than the call did.
    if (verdict === "refused" && doubt.clears === before) {
      const conceal = concealer({ settings: channel.settings, key });
      this.#disable(choice, conceal(tell(keyCheck.error)));
    }
  }

  /** The channel may have been read anew, with another object for the same key. */
  #disable({ channel, key }: Choice, reason: string): void {
    const current = channel.settings.keys.find(({ text }) => text === key.text);
    if (!current?.isEnabled) return;
    current.isEnabled = false;
    current.doubt?.clear();
    this.#needs.refused(channel, current, reason);
  }
}

function tell(error: unknown): string {
  return error instanceof VendorRefusal ? error.message : describe(error);
}

function verdictOf({ error, checked }: KeyCheck): "good" | "refused" | "unclear" {
  if (checked !== "key") return "unclear";
  if (error === null) return "good";
  const { blame } = error instanceof VendorRefusal ? error.fault : { blame: "channel" };
  // Nothing of a client went along, so even without a clear word it is the key.
  return blame === "key" || blame === "suspect" ? "refused" : "unclear";
}
