// An attempt that serves: its place on the channel is kept until the reply has ended.
import type { GatewayError } from "../core/errors.ts";
import type { ConversationPin } from "../distribution/affinity.ts";
import type { Channel, ChannelKey } from "../distribution/channel.ts";
import type { Choice } from "../distribution/choose.ts";
import type { Progress } from "./progress.ts";
import { noteBroken, shownWords } from "./trail.ts";

/** Channels it was one of: those of which member, and for which conversation. */
interface Place {
  model?: string;
  conversation?: ConversationPin | null;
}

/** The request that an attempt was made for, its place and its start. */
interface Made {
  progress: Progress;
  choice: Choice;
  at: Place;
  startedAtMs: number;
}

/** The outcome of an attempt, with the place on its channel that it still takes up. */
export class ServedAttempt<Served> {
  readonly value: Served;
  readonly #made: Made;
  #isReleased = false;

  constructor(value: Served, madeAttempt: Made) {
    this.value = value;
    this.#made = madeAttempt;
  }

  get channel(): Channel {
    return this.#made.choice.channel;
  }

  get key(): ChannelKey {
    return this.#made.choice.key;
  }

  get startedAtMs(): number {
    return this.#made.startedAtMs;
  }

  /** Its stream did not come to its end: told before the request is put on record. */
  broke(endedAtMs: number, error: GatewayError): void {
    const { progress, choice, at, startedAtMs } = this.#made;
    at.conversation?.failed(choice, "channel");
    const words = shownWords(choice, error);
    choice.channel.lastFailure = { code: error.code, words, status: 200, atMs: endedAtMs };
    noteBroken(progress, { choice, model: at.model, startedAtMs, endedAtMs }, error);
  }

  /** Gives the channel's place back, when the reply has ended. */
  release(): void {
    const { channel, key } = this.#made.choice;
    if (!this.#isReleased) channel.release(key);
    this.#isReleased = true;
  }
}
