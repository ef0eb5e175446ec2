// Marks of budgets that windows have reached, each sent once for a window.
import type { AccountId } from "../core/ids.ts";
import { dollarText } from "../core/money.ts";
import type { Letter } from "../mail/letter.ts";
import type { Database } from "../store/database.ts";
import { causesMax, type Cause } from "./notice.ts";
import { readBudgetMarks, readSpentWindows, readToldMarks } from "./queries.ts";

/** One that closed no longer ago may have reached a mark since the last look at it. */
const closedMs = 3_600_000;

export async function findMarkedWindows(
  database: Database,
  isWanted: boolean,
  nowMs: number,
): Promise<Cause[]> {
  const all = await readBudgetMarks(database);
  if (all.length === 0) return [];
  const percent = Math.min(...all);
  const look = { percent, nowMs, sinceMs: nowMs - closedMs, most: causesMax };
  const rows = await readSpentWindows(database, look);
  const accounts = new Set(rows.map(({ account_id: id }) => id));
  const sentMarks = sentIn(await readToldMarks(database, [...accounts]));
  return rows.flatMap((row): Cause[] => {
    const mark = reachedOf(row);
    if (mark === null) return [];
    const isClosed = row.closes_at_ms !== null && row.closes_at_ms <= nowMs;
    const isNews = (name: string) =>
      !(sentMarks.get(name) ?? []).some(
        (one) => one.mark > mark || (isClosed && one.hasEnded && one.mark === mark),
      );
    return causesOf(row, mark).filter(
      (cause) => (cause.isOwn ? isReached(row) : isWanted) && isNews(nameOf(cause.cause)),
    );
  });
}

type Window = Awaited<ReturnType<typeof readSpentWindows>>[number];

/** The highest: one below it is no news beside it. */
function reachedOf({ marks, spent_micros: spent, limit_micros: limit }: Window): number | null {
  const reached = (JSON.parse(marks) as number[]).filter((mark) => spent * 100 >= limit * mark);
  return reached.length === 0 ? null : Math.max(...reached);
}

const markSign = "#";

function nameOf(cause: string): string {
  return cause.slice(0, cause.lastIndexOf(markSign));
}

interface SentMark {
  mark: number;
  hasEnded: boolean;
}

/** Marks by window, and by whether its account was notified. */
function sentIn(rows: Awaited<ReturnType<typeof readToldMarks>>): Map<string, SentMark[]> {
  const sentMarks = new Map<string, SentMark[]>();
  for (const { cause, ended_at_ms: endedAtMs } of rows) {
    const name = nameOf(cause);
    const mark = Number(cause.slice(name.length + markSign.length));
    sentMarks.set(name, [...(sentMarks.get(name) ?? []), { mark, hasEnded: endedAtMs !== null }]);
  }
  return sentMarks;
}

/** For whoever runs the gateway, and for its account. */
function causesOf(row: Window, mark: number): Cause[] {
  const { spent_micros: spent, limit_micros: limit, subject_name: whose } = row;
  const share = `${dollarText(spent)} of ${dollarText(limit)}`;
  const of = whose === null ? "" : ` for ${whose}`;
  const cause = {
    cause: `budget_mark:${row.id}${markSign}${mark}`,
    kind: "budget_mark" as const,
    accountId: row.account_id,
    isOwn: false,
    text: `The budget ${row.name} of ${row.username} has reached ${mark} %${of}: ${share}.`,
    details: {
      account: row.username,
      budget: row.name,
      subject: row.subject_id,
      subject_name: whose,
      percent: mark,
      spent_micros: spent,
      limit_micros: limit,
      resets_at: row.closes_at_ms === null ? null : Math.floor(row.closes_at_ms / 1000),
    },
  };
  const letter: Letter = {
    kind: "budget_mark",
    facts: {
      account: row.username,
      budget: row.name,
      whose,
      percent: mark,
      spent: dollarText(spent),
      limit: dollarText(limit),
    },
  };
  const own = { cause: `own_${cause.cause}`, isOwn: true, letter, alsoTo: row.spender };
  return [cause, { ...cause, ...own, isUncalled: row.notice_url === null }];
}

/** Whether the account has any way to be sentMarks. */
function isReached({ notice_url: url, address, leader, spender }: Way): boolean {
  return [url, address, leader, spender].some((way) => way !== null);
}

interface Way {
  notice_url: string | null;
  /** E-mail address of its own. */
  address: string | null;
  /** One of those who lead it, as an organisation, and have an address. */
  leader: AccountId | null;
  /** The member who spends, of such a budget, who has an address. */
  spender: AccountId | null;
}
