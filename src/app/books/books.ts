// Asks the thread that reads whole books. One question is answered at a time, and those who want
// them verified while that is going on get the same verdict.
import type { AccountSums, Books, BooksVerdict } from "../../admin/ledger/needs.ts";
import type { AccountId } from "../../core/ids.ts";
import type { BooksQuestion, BooksReply } from "./books-thread.ts";
import type { BooksSource } from "./verify-books.ts";

interface BooksPlace {
  source: BooksSource;
  usageDays: number;
}

export class KeptBooks implements Books {
  readonly #place: BooksPlace;
  #last: BooksVerdict | null = null;
  #verifying: Promise<BooksVerdict> | null = null;
  #before: Promise<unknown> = Promise.resolve();

  constructor(place: BooksPlace) {
    this.#place = place;
  }

  get last(): BooksVerdict | null {
    return this.#last;
  }

  verify(): Promise<BooksVerdict> {
    this.#verifying ??= this.#verify().finally(() => {
      this.#verifying = null;
    });
    return this.#verifying;
  }

  async sums(accountId: AccountId): Promise<AccountSums | null> {
    const { source } = this.#place;
    const reply = await this.#ask({ kind: "sums", source, accountId });
    if ("sums" in reply) return reply.sums;
    throw new Error("the books gave no sums");
  }

  async #verify(): Promise<BooksVerdict> {
    const { source, usageDays } = this.#place;
    const reply = await this.#ask({ kind: "verify", source, usageDays });
    if (!("verdict" in reply)) throw new Error("the books gave no verdict");
    this.#last = reply.verdict;
    return reply.verdict;
  }

  #ask(question: BooksQuestion): Promise<BooksReply> {
    const turn = this.#before.then(() => askThread(question));
    this.#before = turn.catch(() => {});
    return turn;
  }
}

async function askThread(question: BooksQuestion): Promise<BooksReply> {
  const worker = new Worker(new URL("./books-thread.ts", import.meta.url), { smol: true });
  const { promise, resolve, reject } = Promise.withResolvers<BooksReply>();
  worker.onmessage = (event: MessageEvent<BooksReply>) => resolve(event.data);
  worker.onerror = (event) => reject(new Error(event.message));
  worker.postMessage(question);
  try {
    const reply = await promise;
    if ("fault" in reply) throw new Error(reply.fault);
    return reply;
  } finally {
    worker.terminate();
  }
}
