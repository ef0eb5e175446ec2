// The place of a request among the models that may serve it: most have one, and a virtual model's
// members are asked one after the other.
import type { FallbackReason } from "../config/virtual-model.ts";
import type { AccountId } from "../core/ids.ts";
import type { Channel } from "../distribution/channel.ts";
import type { Tried } from "../distribution/choose.ts";

interface Stage<Self> {
  accountId: AccountId;
  channels: readonly Channel[];
  onward?: (why: FallbackReason) => Self | null;
}

export class Course<Of extends Stage<Of>> {
  at: Of;
  tried: Tried = { channels: [], keys: [] };
  /** No other member may be asked instead. */
  isLastWay: boolean;
  readonly #first: Of;
  #why: FallbackReason | null = null;

  constructor(first: Of) {
    this.at = first;
    this.#first = first;
    this.isLastWay = first.onward === undefined;
  }

  failed(why: FallbackReason): void {
    this.#why = why;
  }

  /**
   * On to the next member; false where there is none. With nothing tried at all, the first one is
   * better than none, however its channels are doing. What a key was refused for stays known.
   */
  goOn(nowMs: number, isUntried: boolean): boolean {
    if (this.isLastWay) return false;
    const next = this.at.onward?.(this.#why ?? passedFor(this.at, nowMs)) ?? null;
    this.isLastWay = next === null;
    if (next === null && !isUntried) return false;
    this.at = next ?? this.#first;
    this.tried = { channels: [], keys: this.tried.keys };
    this.#why = null;
    return true;
  }
}

/** The reason none of them could be chosen, although none was tried. */
function passedFor<Of>({ channels, accountId }: Stage<Of>, nowMs: number): FallbackReason {
  const isOut = ({ health }: Channel) => health.isOut(nowMs, accountId);
  return channels.every(isOut) ? "fault" : "load";
}
