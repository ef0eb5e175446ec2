// The SQL of the usage log's rows. A request has one record, which is a row of the log and the
// attempts that failed; the sums of days are made of the rows where these are written.
import { sql } from "kysely";
import type { LogQuery } from "../store/log.ts";
import { dayOf } from "../core/day.ts";
import { readerOf, TableStep, type ListedRow, type Program } from "../store/step.ts";
import type { Value } from "../store/store.ts";
import { usageColumns } from "../store/usage-columns.ts";
import {
  failedAttemptStep,
  usageChannelDayStep,
  usageDayStep,
  usageLabelDayStep,
} from "./rollup/queries.ts";
import {
  failedSlots,
  failedSlotStep,
  usageChannelSlotStep,
  usageSlotStep,
} from "./slots/queries.ts";
import { attemptStep, toTrail } from "./trail/queries.ts";
import { countedModel, toWhole, zeros } from "./rollup/rollup.ts";
import { readFailedChannels, type UsageRecord, type UsageRow } from "./usage-row.ts";

export const usageStep = new TableStep({
  list: "rows",
  table: "usage_log",
  cells: readerOf(usageColumns),
  action: { kind: "insert" },
});

/** A commit is whole or not at all, so the sums are always those of the rows. */
export const usageSteps: Program = [
  usageStep,
  usageDayStep,
  usageChannelDayStep,
  failedAttemptStep,
  attemptStep,
  usageSlotStep,
  usageChannelSlotStep,
  failedSlotStep,
  usageLabelDayStep,
];

/** The rows of a request's record, for a document of the log's program. */
export function toRecord(row: UsageRecord): ListedRow[] {
  const own = usageStep.listed(row);
  makeFit(own.cells);
  if (row.error_message === null) dropTrailingNulls(own.cells);
  const hasMore = row.failed_attempts > 0 || row.trail.length > 0;
  return hasMore ? [own, ...failedAttempts(row), ...failedSlots(row), ...toTrail(row)] : [own];
}

/**
 * Such that the table cannot refuse it: one bad row would hold up every row behind it. By index,
 * because an iterator would triple what a record costs (measured).
 */
function makeFit(cells: Value[]): void {
  for (let at = 0; at < cells.length; at++) {
    const cell = cells[at];
    if (typeof cell === "number" && !Number.isSafeInteger(cell)) cells[at] = toWhole(cell);
  }
}

/** Cells that are absent are null: what only some requests have lengthens no other record. */
function dropTrailingNulls(cells: Value[]): void {
  let length = cells.length;
  while (length > 0 && cells[length - 1] === null) length--;
  cells.length = length;
}

/** A document of the log's program. */
export function encodeRecords(rows: readonly UsageRecord[]): string {
  const lists = Map.groupBy(rows.flatMap(toRecord), ({ list }) => list);
  const toCells = (listed: readonly ListedRow[]) => listed.map(({ cells }) => cells);
  return JSON.stringify(
    Object.fromEntries(Array.from(lists, ([list, listed]) => [list, toCells(listed)])),
  );
}

function failedAttempts(row: UsageRow): ListedRow[] {
  const day = dayOf(toWhole(row.at_ms));
  const sums = { ...zeros, day, model: countedModel(row), attempts: 1, attempt_failures: 1 };
  return readFailedChannels(row).map((channel_id) =>
    failedAttemptStep.listed({ ...sums, channel_id }),
  );
}

const rowsForgottenAtOnce = 10_000;

/**
 * Forgets rows that are older, a few at a time, so that the log's thread is never long at it: to be
 * run again while there may be more.
 */
export function forgetRows(beforeMs: number): LogQuery<unknown> {
  return sql`delete from usage_log where at_ms < ${beforeMs} and at_ms <= coalesce((
    select at_ms from usage_log where at_ms < ${beforeMs} order by at_ms
    limit 1 offset ${rowsForgottenAtOnce - 1}), ${beforeMs})`;
}
