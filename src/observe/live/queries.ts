// The SQL by which the usage log is read as it is written.
import { sql } from "kysely";
import { place, type LogQuery } from "../../store/log.ts";
import type { UsageRow } from "../usage-row.ts";

type PlacedRow = UsageRow & { behind: number };

/** One row: behind which place comes what will be written. */
export const findLastPlace: LogQuery<{ place: number | null }> = sql`
  select max(${place}) as place from usage_log`;

/** Rows written behind a place, in that order. */
export function listBehind(after: number, limit: number): LogQuery<PlacedRow> {
  return sql<PlacedRow>`select usage_log.*, ${place} as behind from usage_log
    where ${place} > ${after}
    order by ${place} limit ${limit}`;
}
