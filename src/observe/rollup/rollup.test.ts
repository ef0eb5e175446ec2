import { expect, test } from "bun:test";
import { dayMs } from "../../core/day.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import type { Row, Value } from "../../store/store.ts";
import type { UsageRecord } from "../usage-row.ts";
import { countedModel, measures, rollups, sumMax } from "./rollup.ts";

/** The cells of the sums that the rows make, in the order of their columns. */
function cellsOf(rows: readonly UsageRecord[]): Record<"days" | "channels", Value[][]> {
  using database = new LogDatabase();
  database.insert(...rows);
  const read = (table: keyof typeof rollups) => {
    const columns: readonly string[] = [...rollups[table], ...measures];
    const toCells = (row: Row) => columns.map((column) => row[column] ?? null);
    return database.all(`select * from ${table}`).map(toCells);
  };
  return { days: read("usage_day"), channels: read("usage_channel_day") };
}

test("rows of the same day, key and model become one sum", () => {
  const first = usageRow({ at_ms: 5 * dayMs });
  const last = usageRow({ at_ms: 6 * dayMs - 1, channel_id: "chn_2" });
  const next = usageRow({ at_ms: 6 * dayMs });
  const { days, channels } = cellsOf([first, last, next]);
  // A cost that nobody knows counts as what was charged.
  const once = [1, 0, 10, 20, 30, 40, 50, 2, 8000, 1234, 1234];
  expect(measures).toHaveLength(once.length);
  expect(days).toEqual([
    ["acc_1", 5, "key_1", "chat-a", ...once.map((sum) => sum * 2)],
    ["acc_1", 6, "key_1", "chat-a", ...once],
  ]);
  expect(channels).toEqual([
    [5, "chn_1", "chat-a", ...once],
    [5, "chn_2", "chat-a", ...once],
    [6, "chn_1", "chat-a", ...once],
  ]);
});

test("the end of a task is no request, and a client that left no failure", () => {
  const counted = (fields: Parameters<typeof usageRow>[0]) => {
    const [[, , , , requests, failures] = []] = cellsOf([usageRow(fields)]).days;
    return [requests, failures];
  };
  expect(counted({})).toEqual([1, 0]);
  expect(counted({ kind: "task" })).toEqual([0, 0]);
  expect(counted({ kind: "task", outcome: "upstream_error" })).toEqual([0, 1]);
  expect(counted({ outcome: "client_abort" })).toEqual([1, 0]);
  for (const outcome of ["rejected", "upstream_error", "gateway_error"] as const) {
    expect(counted({ outcome })).toEqual([1, 1]);
  }
});

test("names that a client makes up are counted as one", () => {
  const made = Array.from({ length: 50 }, (_, at) =>
    usageRow({ model: `made up ${at}`, outcome: "rejected", channel_id: null }),
  );
  expect(cellsOf(made).days).toHaveLength(1);
  expect(countedModel(usageRow({ model: "m", outcome: "rejected" }))).toBe("m");
  expect(countedModel(usageRow({ model: "m", channel_id: null }))).toBe("m");
});

test("models with spaces in their names are not taken for each other", () => {
  const models = ["a", "a b", "b a", " a", "a  b"];
  const { days, channels } = cellsOf(models.map((model) => usageRow({ model })));
  expect(days.map(([, , , model]) => model)).toEqual(models.toSorted());
  expect(channels.map(([, , model]) => model)).toEqual(models.toSorted());
});

test("what is not a number counts nothing, and no sum goes past what can be counted", () => {
  const rows = [
    usageRow({ micros: Number.NaN, input_tokens: sumMax, at_ms: Number.NaN }),
    usageRow({ micros: 5, input_tokens: sumMax, at_ms: 0 }),
  ];
  const [[, day, , , , , inputTokens, ...rest] = []] = cellsOf(rows).days;
  expect([day, inputTokens, rest.at(-1)]).toEqual([0, sumMax, 5]);
});

test("a channel's attempts are counted on it, each with its failure", () => {
  using database = new LogDatabase();
  const own = { channel_id: "chn_good", at_ms: dayMs };
  database.insert(
    usageRow({ ...own, attempts: 1 }),
    usageRow({ ...own, attempts: 3, failed_attempts: 2, failed_channels: "chn_bad chn_bad" }),
    usageRow({
      ...own,
      attempts: 2,
      failed_attempts: 1,
      failed_channels: "chn_bad",
      outcome: "client_abort",
    }),
    // A stream that broke off is a failure of the attempt that had served it.
    usageRow({ ...own, attempts: 1, outcome: "upstream_error" }),
    usageRow({
      ...own,
      channel_id: "chn_bad",
      attempts: 1,
      failed_attempts: 1,
      failed_channels: "chn_bad",
      outcome: "upstream_error",
    }),
    usageRow({ ...own, channel_id: null, attempts: 0, outcome: "rejected" }),
  );
  const sums = "channel_id, requests, failures, attempts, attempt_failures";
  const rows = database.all(`select ${sums} from usage_channel_day order by channel_id`);
  expect(rows.map((row) => Object.values(row))).toEqual([
    ["", 1, 1, 0, 0],
    ["chn_bad", 1, 1, 4, 4],
    ["chn_good", 4, 1, 4, 1],
  ]);
});
