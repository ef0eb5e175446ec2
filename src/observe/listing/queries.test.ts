import { expect, test } from "bun:test";
import { createIds } from "../../core/ids.ts";
import { systemRandom } from "../../core/random.ts";
import { bindLog } from "../../store/log.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import type { UsageRecord } from "../usage-row.ts";
import {
  countUsage,
  listUsage,
  pageRowsMax,
  passingOver,
  type ListPlace,
  type UsageFilter,
  type UsagePage,
} from "./queries.ts";

/** Ten rows, a millisecond apart, of two accounts by turns. */
function tenRows(): UsageRecord[] {
  return Array.from({ length: 10 }, (_, at) =>
    usageRow({
      id: `req_${at}`,
      at_ms: 1000 + at,
      account_id: `acc_${at % 2}`,
      key_id: `key_${at % 5}`,
      model: at < 3 ? "chat-a" : "chat-b",
      channel_id: at < 8 ? "chn_1" : null,
      status: at === 9 ? 500 : 200,
    }),
  );
}

function list(database: LogDatabase, filter: UsageFilter, page: Partial<UsagePage> = {}): string {
  const rows = database.list(listUsage(filter, { limit: 100, offset: 0, ...page }));
  return rows.map(({ id }) => String(id).slice("req_".length)).join("");
}

function count(database: LogDatabase, filter: UsageFilter, most = 100): number {
  return database.list(countUsage(filter, most))[0]?.total ?? -1;
}

test("the newest rows come first, and pages do not overlap", () => {
  using database = new LogDatabase();
  database.insert(...tenRows());
  expect(list(database, {})).toBe("9876543210");
  expect(list(database, {}, { limit: 4 })).toBe("9876");
  expect(list(database, {}, { limit: 4, offset: 4 })).toBe("5432");
  expect(list(database, {}, { limit: 4, offset: 8 })).toBe("10");
});

test("rows of the same moment come in the order in which they were written, the last first", () => {
  using database = new LogDatabase();
  // In an order that is neither theirs nor that of the index.
  const rows = tenRows().map((row) => ({ ...row, at_ms: 5 }));
  database.insert(...rows.slice(5), ...rows.slice(0, 5));
  expect(list(database, {})).toBe("4321098765");
  expect(list(database, { accountId: "acc_1" })).toBe("31975");
});

test("a place leads to what comes after it, among rows of the same moment too", () => {
  using database = new LogDatabase();
  database.insert(...tenRows().map((row, at) => ({ ...row, at_ms: at < 6 ? 5 : 6 })));
  const seen: string[] = [];
  let after: ListPlace | undefined;
  do {
    const [row] = database.list(listUsage({}, { limit: 1, offset: 0, after }));
    after = row && { atMs: row.at_ms, id: row.id };
    seen.push((row?.id ?? "end").replace("req_", ""));
  } while (after);
  expect(seen.join("")).toBe("9876543210end");
});

test.each<[UsageFilter, string]>([
  [{ accountId: "acc_1" }, "97531"],
  [{ keyIds: ["key_0"] }, "50"],
  [{ model: "chat-a" }, "210"],
  [{ channelId: "chn_1" }, "76543210"],
  [{ status: 500 }, "9"],
  [{ fromMs: 1008 }, "98"],
  [{ toMs: 1002 }, "10"],
  [{ fromMs: 1002, toMs: 1004 }, "32"],
  [{ requestId: "req_4" }, "4"],
  [{ accountId: "acc_0", model: "chat-b", status: 200, fromMs: 1005 }, "86"],
  [{ accountId: "acc_1", keyIds: ["key_0"], requestId: "req_5", toMs: 2000 }, "5"],
  [{ model: "chat-c" }, ""],
])("the filter %j finds its rows and counts them", (filter, ids) => {
  using database = new LogDatabase();
  database.insert(...tenRows());
  expect(list(database, filter)).toBe(ids);
  expect(count(database, filter)).toBe(ids.length);
  expect(count(database, filter, 2)).toBe(Math.min(ids.length, 2));
});

test("the id of a task finds the request that made it and its end", () => {
  using database = new LogDatabase();
  const clock = { nowMs: () => 5000, monotonicMs: () => 0 };
  const ids = createIds(clock, systemRandom);
  const [taskId, requestId] = [ids.task(), ids.request()];
  database.insert(
    usageRow({ id: requestId, at_ms: 5000, task_id: taskId }),
    usageRow({ id: ids.request(), at_ms: 5000, task_id: null }),
    usageRow({ id: taskId, kind: "task", at_ms: 9000, task_id: taskId }),
  );
  const found = (filter: UsageFilter) =>
    database.list(listUsage(filter, { limit: 9, offset: 0 })).map(({ id }) => id);
  expect(found({ requestId: taskId })).toEqual([taskId, requestId]);
  expect(found({ requestId })).toEqual([requestId]);
});

test("what is asked for never becomes part of the statement", () => {
  using database = new LogDatabase();
  database.insert(...tenRows());
  const attack = "' or 1=1; drop table usage_log; --";
  const filter = { model: attack, accountId: attack, requestId: attack, channelId: attack };
  expect(bindLog(listUsage(filter, { limit: 1, offset: 0 }), "sqlite").sql).not.toContain("drop");
  expect(list(database, { model: attack })).toBe("");
  expect(count(database, {})).toBe(10);
});

test("a page is never longer than the cap, nor before the start", () => {
  const { parameters } = bindLog(listUsage({}, { limit: 1_000_000, offset: -5 }), "sqlite");
  expect(parameters).toEqual([pageRowsMax, 0]);
  expect(bindLog(listUsage({}, { limit: -1, offset: 0 }), "sqlite").parameters).toEqual([0, 0]);
});

test.each<[UsageFilter, string, ReturnType<typeof passingOver>]>([
  [{}, "usage_log_at", "none"],
  [{ fromMs: 1, toMs: 9 }, "usage_log_at", "none"],
  [{ accountId: "acc_1", fromMs: 5 }, "usage_log_account_at", "none"],
  [{ status: 500, model: "m", channelId: "c" }, "usage_log_at", "cheap"],
  [{ accountId: "acc_1", keyIds: ["k"], model: "m", status: 5 }, "usage_log_account_at", "cheap"],
])("the filter %j reads the index %s alone", (filter, index, passing) => {
  using database = new LogDatabase();
  const after = { atMs: 7, id: "req_3" };
  for (const statement of [
    countUsage(filter, 9),
    listUsage(filter, { limit: 20, offset: 0 }),
    listUsage(filter, { limit: 20, offset: 0, after }),
  ]) {
    const plan = database.plan(statement);
    expect(plan).toContain(`COVERING INDEX ${index}`);
    expect(plan).not.toContain("TEMP B-TREE FOR ORDER BY; USE");
  }
  expect(passingOver(filter)).toBe(passing);
});

test("what the index does not tell is known to be dear", () => {
  expect(passingOver({ accountId: "acc_1", channelId: "chn_1" })).toBe("dear");
  expect(passingOver({ keyIds: ["key_1"] })).toBe("dear");
  expect(passingOver({ requestId: "no id at all" })).toBe("dear");
  const ids = createIds({ nowMs: () => 1, monotonicMs: () => 0 }, systemRandom);
  for (const requestId of [ids.request(), ids.task()]) {
    expect(passingOver({ accountId: "acc_1", channelId: "chn_1", requestId })).toBe("none");
  }
});
