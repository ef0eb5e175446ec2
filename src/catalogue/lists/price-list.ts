// Asks the published price list. Nothing of it is in memory before a question or after its answer.
import type { Deadlines } from "../../core/deadline.ts";
import type { FoundRow, ListAnswer, ListAsk, ListQuestion } from "./list-thread.ts";

/** The version of the package that the list comes in, the same as in package.json. */
export const listVersion = "0.1.8";

const answerMsMax = 20_000;

class PriceListError extends Error {
  override readonly name = "PriceListError";
}

export class PriceList {
  readonly #deadlines: Deadlines;
  readonly #nowMs: () => number;

  constructor(deadlines: Deadlines, nowMs: () => number) {
    this.#deadlines = deadlines;
    this.#nowMs = nowMs;
  }

  /** Rows asked for, each in its place, and null for what is not listed. */
  async rows(asks: readonly ListAsk[]): Promise<(FoundRow | null)[]> {
    if (asks.length === 0) return [];
    return (await this.#ask({ asks })).rows;
  }

  /** The models of the vendor who has this address. */
  async vendorModels(vendorAt: string): Promise<string[]> {
    return (await this.#ask({ vendorAt })).vendorModels;
  }

  async lowest(lowestOf: string): Promise<NonNullable<ListAnswer["lowest"]>> {
    const { lowest } = await this.#ask({ lowestOf });
    if (!lowest) throw new PriceListError("the price list gave no answer");
    return lowest;
  }

  #ask(question: Partial<ListQuestion>): Promise<ListAnswer> {
    const whole = { asks: [], vendorAt: null, lowestOf: null, nowMs: this.#nowMs(), ...question };
    const worker = new Worker(new URL("./list-thread.ts", import.meta.url), { smol: true });
    const answered = new Promise<ListAnswer>((resolve, reject) => {
      const fail = () => reject(new PriceListError("the price list cannot be read"));
      const watch = this.#deadlines.watch(answerMsMax, fail);
      worker.onmessage = (event: MessageEvent<ListAnswer>) => {
        watch.end();
        resolve(event.data);
      };
      worker.onerror = () => {
        watch.end();
        fail();
      };
      worker.postMessage(whole);
    });
    return answered.finally(() => worker.terminate());
  }
}
