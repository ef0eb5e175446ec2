// The thread that reads whole books: a thread of its own, so that neither requests nor the pages of
// the console wait behind it.
import type { AccountSums, BooksVerdict } from "../../admin/ledger/needs.ts";
import { systemClock } from "../../core/clock.ts";
import { readAccountSums, type OldSums } from "./account-sums.ts";
import { verifySource, type BooksSource } from "./verify-books.ts";

export type BooksQuestion =
  | { kind: "verify"; source: BooksSource; usageDays: number }
  | { kind: "sums"; source: BooksSource; accountId: string; known: OldSums | null };

export type BooksReply =
  { verdict: BooksVerdict } | { sums: AccountSums | null; old: OldSums | null } | { fault: string };

declare const self: Worker;

self.onmessage = (event: MessageEvent<BooksQuestion>) => void answer(event.data);

async function answer(question: BooksQuestion): Promise<void> {
  try {
    self.postMessage(await find(question));
  } catch (error) {
    const reply: BooksReply = { fault: error instanceof Error ? error.message : String(error) };
    self.postMessage(reply);
  }
}

async function find(question: BooksQuestion): Promise<BooksReply> {
  if (question.kind === "sums") {
    const { source, accountId, known } = question;
    return (await readAccountSums(source, accountId, known)) ?? { sums: null, old: null };
  }
  const { source, usageDays } = question;
  const [nowMs, startMs] = [systemClock.nowMs(), systemClock.monotonicMs()];
  const { rows, invariants, violations } = await verifySource(source, usageDays);
  const tookMs = systemClock.monotonicMs() - startMs;
  return { verdict: { rows, invariants, violations, atMs: nowMs, tookMs } };
}
