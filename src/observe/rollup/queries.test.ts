import { expect, test } from "bun:test";
import fc from "fast-check";
import { dayMs, dayOf } from "../../core/day.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import type { UsageRow } from "../usage-row.ts";
import { chooseRollup, listSums, type SumFilter } from "./queries.ts";
import { countedModel, sumMax, type Dimension } from "./rollup.ts";

const days = { fromDay: 0, toDay: 1000 };
const page = { limit: 100, offset: 0 };

const someRow = fc
  .record({
    at_ms: fc.integer({ min: 0, max: 6 * dayMs }),
    account_id: fc.constantFrom("acc_1", "acc_2", "acc_3"),
    key_id: fc.constantFrom("key_1", "key_2"),
    model: fc.constantFrom("chat-a", "chat-b", "a b", ""),
    channel_id: fc.constantFrom("chn_1", "chn_2", null),
    kind: fc.constantFrom("request" as const, "task" as const),
    outcome: fc.constantFrom("ok" as const, "rejected" as const, "client_abort" as const),
    micros: fc.nat(1_000_000),
    input_tokens: fc.nat(10_000),
    images: fc.nat(4),
    media_ms: fc.nat(10_000),
  })
  .map((fields) => usageRow(fields));

/** Sums of the rows themselves, in micros. */
function byHand(rows: readonly UsageRow[], by: (row: UsageRow) => string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(by(row), (sums.get(by(row)) ?? 0) + row.micros);
  return sums;
}

function byDatabase(database: LogDatabase, by: readonly Dimension[], filter: SumFilter = days) {
  const name = chooseRollup(filter, by);
  if (name === null) throw new Error("no sums are kept that way");
  const rows = database.list(listSums(name, { filter, by }, page));
  const toName = (row: (typeof rows)[number]) => by.map((one) => row[one]).join("/");
  return new Map(rows.map((row) => [toName(row), row.micros]));
}

test("sums are those of the rows, in however many batches and commits these come", () => {
  const batches = fc.array(fc.array(someRow, { maxLength: 20 }), { maxLength: 8 });
  fc.assert(
    fc.property(batches, fc.boolean(), (written, isOneCommit) => {
      using database = new LogDatabase();
      if (isOneCommit) database.insertBatches(...written);
      else for (const batch of written) database.insert(...batch);
      const rows = written.flat();
      expect(byDatabase(database, ["day", "model"])).toEqual(
        byHand(rows, (row) => `${dayOf(row.at_ms)}/${countedModel(row)}`),
      );
      expect(byDatabase(database, ["account_id", "key_id"])).toEqual(
        byHand(rows, ({ account_id, key_id }) => `${account_id}/${key_id}`),
      );
      expect(byDatabase(database, ["channel_id"])).toEqual(
        byHand(rows, ({ channel_id }) => channel_id ?? ""),
      );
      const own = rows.filter(({ account_id }) => account_id === "acc_2");
      expect(byDatabase(database, ["day"], { ...days, accountId: "acc_2" })).toEqual(
        byHand(own, ({ at_ms }) => String(dayOf(at_ms))),
      );
      const ask = { filter: days, by: ["day", "account_id"] } as const;
      const [first] = database.list(listSums("usage_day", ask, { limit: 1, offset: 0 }));
      const [logged] = database.all(`select
        count(*) filter (where kind = 'request') as whole_requests, sum(images) as whole_images,
        sum(media_ms) as whole_media_ms, sum(input_tokens) as whole_input_tokens,
        sum(micros) as whole_micros from usage_log`);
      expect(first ?? {}).toMatchObject((rows.length > 0 && logged) || {});
    }),
    { numRuns: 40 },
  );
});

test("each row has the number of all of them, the newest day and the dearest first", () => {
  using database = new LogDatabase();
  for (const [day, model, micros] of [
    [1, "a", 5],
    [1, "b", 9],
    [2, "c", 1],
  ] as const) {
    database.insert(usageRow({ at_ms: day * dayMs, model, micros }));
  }
  const read = (by: readonly Dimension[], limit: number) =>
    database.list(listSums("usage_channel_day", { filter: days, by }, { limit, offset: 0 }));
  expect(read(["day", "model"], 2)).toMatchObject([
    { day: 2, model: "c", groups: 3 },
    { day: 1, model: "b", groups: 3 },
  ]);
  expect(read(["model"], 9).map(({ model }) => model)).toEqual(["b", "a", "c"]);
});

test.each<[Partial<SumFilter>, Dimension[], string | null]>([
  [{}, ["day", "model"], "usage_channel_day"],
  [{ model: "m" }, ["channel_id"], "usage_channel_day"],
  [{ channelId: "c" }, ["day"], "usage_channel_day"],
  [{ accountId: "a" }, ["day", "model"], "usage_day"],
  [{ accountId: "a", keyIds: ["k"], model: "m" }, ["day"], "usage_day"],
  [{}, ["account_id"], "usage_day"],
  [{ model: "m" }, ["key_id", "day"], "usage_day"],
  [{ accountId: "a" }, ["channel_id"], null],
  [{ channelId: "c" }, ["account_id"], null],
  [{ channelId: "c", keyIds: ["k"] }, ["day"], null],
])("the filter %j by %j is read from %p", (filter, by, name) => {
  expect(chooseRollup({ ...days, ...filter }, by)).toBe(name as never);
});

test("an account's sums, and some days of all accounts, are found without a look at the rest", () => {
  using database = new LogDatabase();
  const plan = (filter: SumFilter, by: readonly Dimension[]) =>
    database.plan(listSums(chooseRollup(filter, by) ?? "usage_day", { filter, by }, page));
  const own = plan({ ...days, accountId: "acc_1" }, ["day"]);
  expect(own).toContain("SEARCH usage_day USING PRIMARY KEY (account_id=? AND day>? AND day<?)");
  const every = plan(days, ["account_id"]);
  expect(every).toContain("SEARCH usage_day USING PRIMARY KEY (account_id=? AND day>? AND day<?)");
  expect(plan(days, ["day"])).toContain("SEARCH usage_channel_day USING PRIMARY KEY (day>? AND");
});

test("days that are older go, of every account, and rows do not go with them", () => {
  using database = new LogDatabase();
  for (let day = 0; day < 6; day++) {
    for (const accountId of ["acc_1", "acc_2", "acc_3"]) {
      database.insert(usageRow({ at_ms: day * dayMs, account_id: accountId }));
    }
  }
  database.expireDays(4);
  expect([...byDatabase(database, ["day"]).keys()]).toEqual(["5", "4"]);
  expect([...byDatabase(database, ["account_id", "day"]).keys()]).toHaveLength(6);
  expect(database.rows()).toHaveLength(18);
  database.expireRows(6 * dayMs);
  expect(database.rows()).toEqual([]);
  expect([...byDatabase(database, ["day"]).keys()]).toEqual(["5", "4"]);
});

test("a sum that cannot grow any more holds up no row", () => {
  using database = new LogDatabase();
  for (const _ of [1, 2, 3]) database.insert(usageRow({ micros: sumMax, input_tokens: sumMax }));
  expect(database.rows()).toHaveLength(3);
  const filter = { fromDay: 0, toDay: 100_000 };
  const [sum] = database.list(listSums("usage_day", { filter, by: ["model"] }, page));
  expect(sum).toMatchObject({ micros: sumMax, whole_micros: sumMax, whole_requests: 3 });
});
