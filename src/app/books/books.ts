// Asks the thread that reads whole books. One question is answered at a time, and those who want
// them verified while that is going on get the same verdict.
import type { AccountSums, Books, BooksVerdict } from "../../admin/ledger/needs.ts";
import type { AccountId } from "../../core/ids.ts";
import { Lru } from "../../core/lru.ts";
import type { OldSums } from "./account-sums.ts";
import type { BooksQuestion, BooksReply } from "./books-thread.ts";
import { BooksThread } from "./ask-thread.ts";
import type { BooksSource } from "./verify-books.ts";

interface BooksPlace {
  source: BooksSource;
  usageDays: number;
}

const oldSumsMax = 1000;

export class KeptBooks implements Books {
  readonly #place: BooksPlace;
  #last: BooksVerdict | null = null;
  #verifying: Promise<BooksVerdict> | null = null;
  readonly #oldSums = new Lru<AccountId, OldSums>(oldSumsMax);
  readonly #thread = new BooksThread();
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

  async sums(accountId: AccountId, isAfresh = false): Promise<AccountSums | null> {
    const { source } = this.#place;
    const known = isAfresh ? null : (this.#oldSums.get(accountId) ?? null);
    const reply = await this.#ask({ kind: "sums", source, accountId, known });
    if (!("sums" in reply)) throw new Error("the books gave no sums");
    if (reply.old) this.#oldSums.set(accountId, reply.old);
    return reply.sums;
  }

  async #verify(): Promise<BooksVerdict> {
    const { source, usageDays } = this.#place;
    const reply = await this.#ask({ kind: "verify", source, usageDays });
    if (!("verdict" in reply)) throw new Error("the books gave no verdict");
    this.#last = reply.verdict;
    return reply.verdict;
  }

  #ask(question: BooksQuestion): Promise<BooksReply> {
    const turn = this.#before.then(() => this.#thread.ask(question));
    this.#before = turn.catch(() => {});
    return turn;
  }
}
