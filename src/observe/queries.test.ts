import { expect, test } from "bun:test";
import { LogDatabase, usageRow } from "./fixtures/log-database.ts";
import type { UsageRecord } from "./usage-row.ts";

test("a row comes back as it went in", () => {
  using database = new LogDatabase();
  const full = usageRow({ micros: 9_007_199_254_740_991 });
  const bare = usageRow({
    id: "req_b",
    kind: "task",
    at_ms: 1,
    channel_id: null,
    channel_name: null,
    first_byte_ms: null,
    error_code: null,
    task_id: null,
    stream: 0,
    estimated: 1,
    micros: 0,
  });
  database.insert(full, bare);
  expect(database.rows()).toEqual([full, bare]);
});

test("no rows are no trouble", () => {
  using database = new LogDatabase();
  expect(database.rows()).toEqual([]);
  database.insert();
  expect(database.rows()).toEqual([]);
});

test("values that the table would refuse are made fit, so that no row holds up the others", () => {
  using database = new LogDatabase();
  database.insert(
    usageRow({
      latency_ms: 12.6,
      first_byte_ms: 3.2,
      micros: Number.NaN,
      input_tokens: Number.POSITIVE_INFINITY,
    }),
  );
  const [row] = database.rows();
  expect(row).toMatchObject({ latency_ms: 13, first_byte_ms: 3, micros: 0, input_tokens: 0 });
});

test("a NUL or half a character in a text holds up no other row", () => {
  using database = new LogDatabase();
  const odd = { id: "req_odd", model: "a\u0000b", key_name: "half \ud83d" };
  database.insert(usageRow(odd), usageRow({ ...odd, model: "half \ud83d", at_ms: 1 }));
  expect(database.rows().map(({ key_name }) => key_name)).toEqual(["half \ufffd", "half \ufffd"]);
});

/** Ten rows, a millisecond apart. */
function tenRows(): UsageRecord[] {
  return Array.from({ length: 10 }, (_, at) => usageRow({ id: `req_${at}`, at_ms: 1000 + at }));
}

test("rows that are older than the moment go, and no others", () => {
  using database = new LogDatabase();
  database.insert(...tenRows());
  for (const _ of [1, 2]) {
    database.expireRows(1004);
    expect(
      database
        .rows()
        .map(({ id }) => id.slice("req_".length))
        .join(""),
    ).toBe("987654");
  }
});
