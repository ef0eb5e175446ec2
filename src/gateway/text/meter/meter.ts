// Counts tokens where a vendor does not. A real tokenizer does it in a thread of its own; where
// that cannot be or takes too long, the same texts are estimated. A count never fails.
import type { Deadlines } from "../../../core/deadline.ts";
import type { JsonObject } from "../../../core/json.ts";
import type { FormatName } from "../../../formats/format.ts";
import { formats } from "../../../formats/index.ts";
import type { Count, PromptRequest } from "./meter-thread.ts";
import { Share, type ShareRules } from "./share.ts";
import { ReplyTally, type Tally } from "./tally.ts";
import { estimateTexts, readRequestTexts } from "./texts.ts";
import { CountingThread, type CountingWorker, type ThreadRules } from "./thread.ts";

export type { Tally } from "./tally.ts";

interface MeterNeeds {
  deadlines: Deadlines;
  startThread(): CountingWorker;
}

export type MeterRules = ThreadRules & ShareRules;

export const meterRules: MeterRules = {
  waitMs: 4_000,
  idleMs: 5 * 60_000,
  silenceMs: 30_000,
  queueBytesMax: 16 * 1024 * 1024,
  tallyBytesMin: 16 * 1024,
  tallyBytesMax: 256 * 1024,
  sharedBytesMax: 64 * 1024 * 1024,
};

/** A thread that has to be started first loads its tokenizer, which takes a moment. */
const startMs = 30_000;

export class Meter {
  readonly #thread: CountingThread;
  readonly #share: Share;

  constructor({ deadlines, startThread }: MeterNeeds, rules: MeterRules = meterRules) {
    this.#thread = new CountingThread({ deadlines, start: startThread }, rules);
    this.#share = new Share(rules);
  }

  /** For one reply; it ends with a count or is dropped. */
  open(format: FormatName): Tally {
    return new ReplyTally({ format: formats[format], thread: this.#thread, share: this.#share });
  }

  /** The tokens of what a model reads of a request, given as its body or as the body's JSON. */
  async countRequest(format: FormatName, body: JsonObject | string): Promise<number> {
    const count =
      typeof body === "string"
        ? await this.#thread.ask({ kind: "request", format, body }, body.length)
        : await this.#countTexts(readRequestTexts(formats[format], body));
    return count?.tokens ?? Math.ceil(estimateTexts(readRequestTexts(formats[format], body)));
  }

  /**
   * The most tokens that a body can be counted as; null where that cannot be had in time. Whoever
   * asks bounds how much is asked at once, so that it takes no place from what is to be charged.
   */
  async boundPrompt(prompt: Omit<PromptRequest, "kind">): Promise<number | null> {
    const waitMs = prompt.withinMs + startMs;
    const count = await this.#thread.ask({ kind: "prompt", ...prompt }, 0, waitMs);
    return count?.tokens ?? null;
  }

  /** Estimate everything that is waited for, and all that comes after. */
  close(): void {
    this.#thread.close();
  }

  #countTexts(texts: readonly string[]): Promise<Count | null> {
    const characters = texts.reduce((sum, text) => sum + text.length, 0);
    if (characters === 0) return Promise.resolve({ tokens: 0, text: "" });
    return this.#thread.ask({ kind: "texts", texts }, characters);
  }
}

export function startCounting(): CountingWorker {
  return new Worker(new URL("./meter-thread.ts", import.meta.url), { smol: true });
}
