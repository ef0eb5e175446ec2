import { expect, test } from "bun:test";
import {
  countUsage,
  encodeExpiry,
  encodeUsageRows,
  listUsage,
  pageRowsMax,
  toUsageRow,
  usageLogMigrations,
  usageProgram,
  usageSteps,
  type StoredUsageRow,
  type UsageFilter,
} from "./queries.ts";
import { Connection } from "../store/sqlite/connection.ts";
import type { Statement } from "../store/store.ts";
import type { UsageRow } from "./usage-log.ts";

const full: UsageRow = {
  id: "req_a",
  atMs: 1_800_000_000_123,
  accountId: "acc_1",
  keyId: "key_1",
  keyName: 'it\'s "mine" \\ 日本',
  group: "default",
  route: "chat",
  model: "chat-a",
  channelId: "chn_1",
  channelName: "first",
  status: 200,
  outcome: "ok",
  stream: true,
  inputTokens: 10,
  outputTokens: 20,
  cacheReadTokens: 30,
  cacheWriteTokens: 40,
  reasoningTokens: 50,
  estimated: false,
  micros: 9_007_199_254_740_991,
  latencyMs: 1234,
  firstByteMs: 56,
  attempts: 2,
  ip: "2001:db8::1",
  errorCode: "bad_response",
};

class LogDatabase implements Disposable {
  readonly #connection = new Connection({
    path: ":memory:",
    programs: { [usageProgram]: usageSteps },
  });

  constructor() {
    this.#connection.migrate(usageLogMigrations);
  }

  insert(...rows: UsageRow[]): void {
    const run = { program: usageProgram, document: encodeUsageRows(rows) };
    this.#connection.commit([run], [], false);
  }

  expire(beforeMs: number): void {
    const run = { program: usageProgram, document: encodeExpiry(beforeMs) };
    this.#connection.commit([run], [], false);
  }

  list(filter: UsageFilter, limit = 100, offset = 0): UsageRow[] {
    const rows = this.#connection.all(listUsage(filter, { limit, offset }));
    return (rows as unknown as StoredUsageRow[]).map(toUsageRow);
  }

  count(filter: UsageFilter): number {
    return Number(this.#connection.all(countUsage(filter))[0]?.["total"]);
  }

  plan({ sql, parameters }: Statement): string {
    const steps = this.#connection.all({ sql: `explain query plan ${sql}`, parameters });
    return steps.map((step) => String(step["detail"])).join("; ");
  }

  [Symbol.dispose](): void {
    this.#connection.close();
  }
}

/** Ten rows, a millisecond apart, of two accounts by turns. */
function tenRows(): UsageRow[] {
  return Array.from({ length: 10 }, (_, at) => ({
    ...full,
    id: `req_${at}`,
    atMs: 1000 + at,
    accountId: `acc_${at % 2}`,
    keyId: `key_${at % 5}`,
    model: at < 3 ? "chat-a" : "chat-b",
    status: at === 9 ? 500 : 200,
  }));
}

function idsOf(rows: UsageRow[]): string {
  return rows.map(({ id }) => id.slice("req_".length)).join("");
}

test("a row comes back as it went in", () => {
  using database = new LogDatabase();
  const bare: UsageRow = {
    ...full,
    id: "req_b",
    atMs: 1,
    channelId: null,
    channelName: null,
    firstByteMs: null,
    errorCode: null,
    stream: false,
    estimated: true,
    micros: 0,
  };
  database.insert(full, bare);
  expect(database.list({})).toEqual([full, bare]);
});

test("no rows are no trouble", () => {
  using database = new LogDatabase();
  database.insert();
  expect(database.count({})).toBe(0);
});

test("values that the table would refuse are made fit, so that no row holds up the others", () => {
  using database = new LogDatabase();
  database.insert({
    ...full,
    latencyMs: 12.6,
    firstByteMs: 3.2,
    micros: Number.NaN,
    inputTokens: Number.POSITIVE_INFINITY,
  });
  const [row] = database.list({});
  expect(row).toMatchObject({ latencyMs: 13, firstByteMs: 3, micros: 0, inputTokens: 0 });
});

test("the newest rows come first, and pages do not overlap", () => {
  using database = new LogDatabase();
  database.insert(...tenRows());
  expect(idsOf(database.list({}))).toBe("9876543210");
  expect(idsOf(database.list({}, 4, 0))).toBe("9876");
  expect(idsOf(database.list({}, 4, 4))).toBe("5432");
  expect(idsOf(database.list({}, 4, 8))).toBe("10");
});

test("rows of the same moment are ordered by id", () => {
  using database = new LogDatabase();
  database.insert(...tenRows().map((row) => ({ ...row, atMs: 5 })));
  expect(idsOf(database.list({}))).toBe("9876543210");
});

test.each<[UsageFilter, string]>([
  [{ accountId: "acc_1" }, "97531"],
  [{ keyId: "key_0" }, "50"],
  [{ model: "chat-a" }, "210"],
  [{ status: 500 }, "9"],
  [{ fromMs: 1008 }, "98"],
  [{ toMs: 1002 }, "10"],
  [{ fromMs: 1002, toMs: 1004 }, "32"],
  [{ requestId: "req_4" }, "4"],
  [{ accountId: "acc_0", model: "chat-b", status: 200, fromMs: 1005 }, "86"],
  [{ accountId: "acc_1", keyId: "key_0", requestId: "req_5", toMs: 2000 }, "5"],
  [{ model: "chat-c" }, ""],
])("the filter %j finds its rows and counts them", (filter, ids) => {
  using database = new LogDatabase();
  database.insert(...tenRows());
  expect(idsOf(database.list(filter))).toBe(ids);
  expect(database.count(filter)).toBe(ids.length);
});

test("what is asked for never becomes part of the statement", () => {
  using database = new LogDatabase();
  database.insert(...tenRows());
  const attack = "' or 1=1; drop table usage_log; --";
  const { sql } = listUsage({ model: attack, accountId: attack }, { limit: 1, offset: 0 });
  expect(sql).not.toContain("drop");
  expect(database.list({ model: attack })).toEqual([]);
  expect(database.count({})).toBe(10);
});

test("a page is never longer than the cap, nor before the start", () => {
  const { parameters } = listUsage({}, { limit: 1_000_000, offset: -5 });
  expect(parameters).toEqual([pageRowsMax, 0]);
  expect(listUsage({}, { limit: -1, offset: 0 }).parameters).toEqual([0, 0]);
});

test("lists read an index instead of the whole table", () => {
  using database = new LogDatabase();
  const page = { limit: 20, offset: 0 };
  expect(database.plan(listUsage({}, page))).toContain("usage_log_at");
  const ofAccount = listUsage({ accountId: "acc_1", fromMs: 5 }, page);
  expect(database.plan(ofAccount)).toContain("usage_log_account_at");
});

test("rows that are older than the moment go, and no others", () => {
  using database = new LogDatabase();
  database.insert(...tenRows());
  database.expire(1004);
  expect(idsOf(database.list({}))).toBe("987654");
  database.expire(1004);
  expect(database.count({})).toBe(6);
});

test("a NUL or half a character in a text holds up no other row", () => {
  using database = new LogDatabase();
  const odd = { ...full, id: "req_odd", model: "a\u0000b", keyName: "half \ud83d" };
  database.insert(odd, { ...full, id: "req_next" });
  expect(database.list({}).map(({ id }) => id)).toEqual(["req_odd", "req_next"]);
  expect(database.list({ requestId: "req_odd" })[0]?.keyName).toBe("half \ufffd");
});
