// Agreement of the log with the ledger: what was charged by account, key and day, to the micro.
// Rows and days that were deleted because of their age are left out.
import { dayOf } from "../core/day.ts";
import { readLog, type LogReader } from "../store/log.ts";
import { usageColumns, type UsageColumn } from "../store/usage-columns.ts";
import type { Value } from "../store/store.ts";
import { findOldest } from "./listing/queries.ts";
import { usageStep } from "./queries.ts";
import { listDayMicros, listRowMicros, type DayMicros } from "./rollup/queries.ts";

export interface LogSums {
  /** The number of the journal that the log is at. */
  sequence: number;
  /** Micros of whole days, by account, key and day. */
  days: Map<string, number>;
  /** The first day of which the log has all that was charged. */
  firstDay: number;
  /** Disagreements between the rows and their own sums. */
  disagreements: string[];
}

export function nameOfDay(accountId: string, keyId: string, day: number): string {
  return `${accountId} ${keyId} ${day}`;
}

export function dayInName(name: string): number {
  return Number(name.slice(name.lastIndexOf(" ") + 1));
}

export async function readLogSums(
  store: LogReader,
  { usageDays, nowMs }: { usageDays: number; nowMs: number },
  state: { sequence: number; sinceMs: number },
): Promise<LogSums> {
  const [oldest] = await readLog(store, findOldest);
  const days = toSums(await readLog(store, listDayMicros));
  const rows = toSums(await readLog(store, listRowMicros));
  // Some rows of the oldest day may be deleted already.
  const rowsFromDay = dayOf(oldest?.atMs ?? nowMs) + 1;
  const { sequence, sinceMs } = state;
  return {
    sequence,
    days,
    firstDay: Math.max(sinceMs === 0 ? 0 : dayOf(sinceMs) + 1, dayOf(nowMs) - usageDays + 1),
    disagreements: differences(days, rows, rowsFromDay),
  };
}

/** Adds documents that the log is still to take. */
export function addDocuments(sums: LogSums, documents: readonly string[]): void {
  for (const document of documents) {
    const { [usageStep.list]: rows = [] }: Record<string, Value[][]> = JSON.parse(document);
    for (const row of rows) {
      const cell = (name: UsageColumn) => row[usageColumns.indexOf(name)];
      const day = dayOf(Number(cell("at_ms")));
      const name = nameOfDay(String(cell("account_id")), String(cell("key_id")), day);
      sums.days.set(name, (sums.days.get(name) ?? 0) + Number(cell("micros")));
    }
  }
}

function toSums(rows: readonly DayMicros[]): Map<string, number> {
  return new Map(
    rows.map(({ account_id, key_id, day, micros }) => [
      nameOfDay(account_id, key_id, day),
      Number(micros),
    ]),
  );
}

function differences(
  days: ReadonlyMap<string, number>,
  rows: ReadonlyMap<string, number>,
  fromDay: number,
): string[] {
  const names = new Set([...days.keys(), ...rows.keys()]);
  return [...names].filter(
    (name) => dayInName(name) >= fromDay && (days.get(name) ?? 0) !== (rows.get(name) ?? 0),
  );
}
