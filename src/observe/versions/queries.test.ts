import { expect, test } from "bun:test";
import { dayMs } from "../../core/day.ts";
import { blankUsage, usageColumns } from "../../store/usage-columns.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import type { UsageRow } from "../usage-row.ts";
import { usageLogMigrations } from "./queries.ts";

using first = new LogDatabase(usageLogMigrations.slice(0, 1));
const known = first.all("pragma table_info(usage_log)").map(({ name }) => name);
const firstColumns = usageColumns.filter((column) => known.includes(column));
const laterColumns = usageColumns.filter((column) => !known.includes(column));

const rows = Array.from({ length: 60 }, (_, at) =>
  usageRow({
    id: `req_${at}`,
    at_ms: at * Math.floor(dayMs / 7),
    account_id: `acc_${at % 3}`,
    key_id: `key_${at % 4}`,
    model: `model ${at % 5}`,
    channel_id: at % 6 === 0 ? null : `chn_${at % 2}`,
    outcome: (["ok", "rejected", "client_abort", "upstream_error"] as const)[at % 4] ?? "ok",
    micros: at === 7 ? 9_007_199_254_740_991 : at,
    // Unknown to the first version.
    ...Object.fromEntries(laterColumns.map((column) => [column, blankUsage[column]])),
  }),
);

/** Row in the form of the program's first version. */
function insertFirst(database: LogDatabase, row: UsageRow): void {
  const cells = firstColumns.map((column) => row[column]);
  const places = cells.map(() => "?").join(", ");
  database.read({ sql: `insert into usage_log values (${places})`, parameters: cells });
}

test("rows from before have their sums, as if they had been written now", () => {
  using old = new LogDatabase(usageLogMigrations.slice(0, 1));
  for (const row of rows) insertFirst(old, row);
  old.migrate();
  using now = new LogDatabase();
  now.insert(...rows);
  expect(old.rows()).toEqual(now.rows());
  for (const table of ["usage_day", "usage_channel_day", "usage_slot"]) {
    const all = `select * from ${table}`;
    // Attempts were not counted before.
    const uncounted = table === "usage_channel_day" ? { attempts: 0, attempt_failures: 0 } : {};
    expect(old.all(all)).toEqual(now.all(all).map((row) => ({ ...row, ...uncounted })));
    expect(old.all(all).length).toBeGreaterThan(5);
  }
});

test("a log that was empty goes on", () => {
  using database = new LogDatabase(usageLogMigrations.slice(0, 1));
  database.migrate();
  database.insert(...rows.slice(0, 3));
  expect(database.rows()).toHaveLength(3);
});
