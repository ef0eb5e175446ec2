// The text of one reply so far, kept so that its tokens can be counted in case the vendor does not
// say. Most vendors do, so that until then it costs next to nothing.
import { joinBytes } from "../../../core/sse.ts";
import type { Format } from "../../../formats/format.ts";
import { estimateTokens } from "../../../formats/usage.ts";
import type { Share } from "./share.ts";
import { estimateReply } from "./texts.ts";
import type { CountingThread } from "./thread.ts";

export interface Tally {
  /** Takes whole events as the upstream sent them, or one whole reply; they are not copied. */
  push(bytes: Uint8Array): void;
  /** The output tokens of everything that was pushed; nothing may be pushed after. */
  count(): Promise<number>;
  /** The vendor told the usage: nothing of this is needed any more. */
  drop(): void;
}

/** For a reply whose usage the vendor told. */
export const noTally: Tally = {
  push() {},
  count: () => Promise.resolve(0),
  drop() {},
};

interface TallyNeeds {
  format: Format;
  thread: CountingThread;
  share: Share;
}

/** Bytes the runtime needs to keep a small array of bytes, besides its content. */
const pieceBytes = 128;
/** Multiple of the limit that may be kept while the thread is busy with the text before. */
const patience = 4;

export class ReplyTally implements Tally {
  readonly #needs: TallyNeeds;
  #kept: Uint8Array[] = [];
  #keptBytes = 0;
  #keptBytesMax: number;
  /** Read by the thread, and not counted yet. */
  #text = "";
  /** Counted or estimated. */
  #tokens = 0;
  #handing: Promise<void> | null = null;
  #counting: Promise<number> | null = null;
  #isDropped = false;

  constructor(needs: TallyNeeds) {
    this.#needs = needs;
    this.#keptBytesMax = needs.share.rules.tallyBytesMin;
  }

  push(bytes: Uint8Array): void {
    this.#kept.push(bytes);
    this.#keptBytes += bytes.length + pieceBytes;
    if (this.#keptBytes > this.#keptBytesMax) this.#relieve();
  }

  count(): Promise<number> {
    this.#counting ??= this.#count();
    return this.#counting;
  }

  drop(): void {
    this.#isDropped = true;
    this.#take();
    this.#text = "";
  }

  #relieve(): void {
    const { tallyBytesMax } = this.#needs.share.rules;
    if (this.#isDropped) {
      this.#take();
    } else if (this.#kept.length > 1 && !this.#mayKeepMore()) {
      // A whole reply comes in one piece, and with it the news whether it has to be counted.
      if (!this.#handing) this.#handing = this.#handOver();
      else if (this.#keptBytes > tallyBytesMax * patience) this.#tokens += this.#estimate();
    }
  }

  #mayKeepMore(): boolean {
    const { share } = this.#needs;
    const more = Math.min(this.#keptBytesMax, share.rules.tallyBytesMax - this.#keptBytesMax);
    if (more === 0 || !share.take(more)) return false;
    this.#keptBytesMax += more;
    return true;
  }

  async #handOver(): Promise<void> {
    const { format, thread } = this.#needs;
    const kept = this.#take();
    const bytes = joinBytes(kept);
    const count = await thread.ask(
      { kind: "reply", format: format.name, text: this.#text, bytes, isLast: false },
      bytes.length,
    );
    this.#handing = null;
    if (this.#isDropped) return;
    this.#tokens += count?.tokens ?? estimateReply(format, joinBytes(kept));
    this.#text = count?.text ?? this.#text;
  }

  async #count(): Promise<number> {
    const { format, thread } = this.#needs;
    await this.#handing;
    const text = this.#text;
    const kept = this.#take();
    if (this.#isDropped) return 0;
    if (kept.length === 0 && text === "") return Math.ceil(this.#tokens);
    const bytes = joinBytes(kept);
    const count = await thread.ask(
      { kind: "reply", format: format.name, text, bytes, isLast: true },
      bytes.length + text.length,
    );
    const rest = count?.tokens ?? estimateTokens(text) + estimateReply(format, joinBytes(kept));
    return Math.ceil(this.#tokens + rest);
  }

  #estimate(): number {
    return estimateReply(this.#needs.format, joinBytes(this.#take()));
  }

  #take(): Uint8Array[] {
    const { share } = this.#needs;
    const kept = this.#kept;
    this.#kept = [];
    this.#keptBytes = 0;
    share.giveBack(this.#keptBytesMax - share.rules.tallyBytesMin);
    this.#keptBytesMax = share.rules.tallyBytesMin;
    return kept;
  }
}
