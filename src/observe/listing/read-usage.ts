// Reads a page of the usage log with work that has bounds, however long the log is and whatever is
// asked for: rows are counted up to a point, and passed over up to a point.
import { dayOf } from "../../core/day.ts";
import { readLog, type LogReader } from "../../store/log.ts";
import { chooseRollup, listSums } from "../rollup/queries.ts";
import type { UsageRow } from "../usage-row.ts";
import { endOfLook, type DayCount } from "./look.ts";
import {
  countUsage,
  findOldest,
  listUsage,
  passingOver,
  type ListPlace,
  type UsageFilter,
  type UsagePage,
} from "./queries.ts";

export interface UsageListing {
  rows: UsageRow[];
  /** At most `totalMax`. */
  total: number;
  /** False when there may be more. */
  isTotalExact: boolean;
  /** Place to go on from; null at the end of the log. */
  next: ListPlace | null;
}

/** Rows are counted up to this many. */
export const totalMax = 10_000;
/** So many rows are passed over at most, for a page and for a total. */
const rowsLookedAt = { cheap: 1_000_000, dear: 100_000 };
const rowsCounted = { cheap: 200_000, dear: 20_000 };
const daysMax = 40_000;

export async function readUsage(
  log: LogReader,
  filter: UsageFilter,
  page: UsagePage,
): Promise<UsageListing> {
  const { offset, after } = page;
  const look = await openLook(log, filter);
  const { rows, next } = await readRows(log, filter, page, look(rowsLookedAt, after));
  // A reader who has come to the end this way knows how many there are.
  const isCounted = next === null && after === undefined && (rows.length > 0 || offset === 0);
  if (isCounted) return { rows, total: offset + rows.length, isTotalExact: true, next };
  return { rows, ...(await count(log, filter, look(rowsCounted))), next };
}

/** The rows alone, for who goes through all of them. */
export async function readUsageRows(
  log: LogReader,
  filter: UsageFilter,
  page: UsagePage,
): Promise<Pick<UsageListing, "rows" | "next">> {
  const look = await openLook(log, filter);
  return await readRows(log, filter, page, look(rowsLookedAt, page.after));
}

async function readRows(
  log: LogReader,
  filter: UsageFilter,
  page: UsagePage,
  endMs: number | null,
) {
  const { limit } = page;
  const wanted = listUsage(since(filter, endMs), { ...page, limit: limit + 1 });
  const storedRows = await readLog(log, wanted);
  const isLast = storedRows.length <= limit && endMs === null;
  const next = isLast ? null : placeAfter(storedRows, limit, endMs);
  return { rows: storedRows.slice(0, limit), next };
}

async function count(log: LogReader, filter: UsageFilter, endMs: number | null) {
  const [counted] = await readLog(log, countUsage(since(filter, endMs), totalMax + 1));
  const total = counted?.total ?? 0;
  return {
    total: Math.min(total, totalMax),
    isTotalExact: total <= totalMax && endMs === null,
  };
}

type Look = (rowsMax: { cheap: number; dear: number }, after?: ListPlace) => number | null;

/** Tells where a look ends that goes back so many rows; null when it sees all. */
async function openLook(log: LogReader, filter: UsageFilter): Promise<Look> {
  const passing = passingOver(filter);
  if (passing === "none") return () => null;
  const [oldest] = await readLog(log, findOldest);
  // Days outlive their rows, and those of which none is left are not worth a look.
  const fromMs = Math.max(oldest?.atMs ?? 0, filter.fromMs ?? 0);
  const toMs = filter.toMs ?? Number.MAX_SAFE_INTEGER;
  const days = await readDays(log, filter, { fromDay: dayOf(fromMs), toDay: dayOf(toMs) + 1 });
  return (rowsMax, after) => {
    const untilMs = after === undefined ? toMs : Math.min(toMs, after.atMs + 1);
    return endOfLook(days, untilMs, rowsMax[passing]);
  };
}

async function readDays(
  log: LogReader,
  { accountId }: UsageFilter,
  days: { fromDay: number; toDay: number },
): Promise<DayCount[]> {
  const filter = { ...days, ...(accountId !== undefined && { accountId }) };
  const by = ["day"] as const;
  const name = chooseRollup(filter, by) ?? "usage_day";
  const page = { limit: daysMax, offset: 0 };
  const rows = await readLog(log, listSums(name, { filter, by }, page));
  return rows.map(({ day = 0, requests }) => ({ day, requests }));
}

function since(filter: UsageFilter, endMs: number | null): UsageFilter {
  return endMs === null ? filter : { ...filter, fromMs: Math.max(endMs, filter.fromMs ?? 0) };
}

function placeAfter(
  storedRows: readonly UsageRow[],
  limit: number,
  endMs: number | null,
): ListPlace {
  const last = storedRows.length > limit ? storedRows[limit - 1] : undefined;
  if (last) return { atMs: last.at_ms, id: last.id };
  return { atMs: (endMs ?? 0) - 1, id: null };
}
