// Remembers on which channel and key each conversation was served last, where its prompt cache is
// warm. Each node remembers for itself: what one does not know is placed by `place.ts`, alike on
// all of them.
import type { Clock } from "../core/clock.ts";
import type { ChannelId } from "../core/ids.ts";
import { Lru } from "../core/lru.ts";
import type { Channel, ChannelKey } from "./channel.ts";
import { seedOf } from "./rendezvous.ts";

const pinsMax = 50_000;
/** The longest that a vendor keeps a prompt for which nobody asked. */
const unusedMsMax = 3_600_000;
/** Time that one that failed is kept away from. */
const failedMsMax = 60_000;

export interface Pin {
  readonly channelId: ChannelId;
  readonly keyText: string;
  readonly atMs: number;
  /** Part that failed it last, which is kept away from for a while; null where it was served. */
  readonly failed: "channel" | "key" | null;
}

/** Reasons for a conversation to be served elsewhere than before. */
export type MoveReason = "failed" | "rests" | "full" | "disabled" | "tier";

/** Origins of a choice: `origin` where what the request builds on decided. */
export type PlacedBy = "pinned" | "ranked" | `moved: ${MoveReason}` | "origin";

interface Placed {
  channel: Channel;
  key: ChannelKey;
  by?: PlacedBy;
}

interface AffinityNeeds {
  clock: Clock;
  isOn: boolean;
}

export class Affinity {
  readonly isOn: boolean;
  readonly #clock: Clock;
  readonly #pins = new Lru<string, Pin>(pinsMax);

  constructor({ clock, isOn }: AffinityNeeds) {
    this.#clock = clock;
    this.isOn = isOn;
  }

  /** The pin of a conversation, by a digest that has its account and model in it. */
  conversation(digest: string): ConversationPin {
    return new ConversationPin(digest, this.#pins, this.#clock);
  }
}

export class ConversationPin {
  /** Never the id that a client gave. */
  readonly digest: string;
  readonly #pins: Lru<string, Pin>;
  readonly #clock: Clock;
  #seed: number | null = null;

  constructor(digest: string, pins: Lru<string, Pin>, clock: Clock) {
    this.digest = digest;
    this.#pins = pins;
    this.#clock = clock;
  }

  /** The seed of its ranking. */
  get seed(): number {
    return (this.#seed ??= seedOf(this.digest));
  }

  get pin(): Pin | null {
    const pin = this.#pins.get(this.digest);
    if (!pin) return null;
    const ageMs = this.#clock.monotonicMs() - pin.atMs;
    return ageMs < (pin.failed ? failedMsMax : unusedMsMax) ? pin : null;
  }

  /** Go back to a channel that only was full: it is still warm. */
  served(choice: Placed): void {
    if (choice.by === "moved: full" || !choice.channel.settings.affinity) return;
    this.#note(choice, null);
  }

  /** Note a failure by the channel's fault, or that of its key alone. */
  failed(choice: Placed, part: "channel" | "key"): void {
    if (choice.by === "moved: full") return;
    this.#note(choice, part);
  }

  #note({ channel, key }: Placed, failed: Pin["failed"]): void {
    const atMs = this.#clock.monotonicMs();
    const { id: channelId } = channel.settings;
    this.#pins.set(this.digest, { channelId, keyText: key.text, atMs, failed });
  }
}
