import { expect, test } from "bun:test";
import { dayMs, dayOf } from "../../core/day.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import { readUsage, totalMax, type UsageListing } from "./read-usage.ts";
import type { ListPlace, UsageFilter } from "./queries.ts";

const rows = Array.from({ length: 25 }, (_, at) =>
  usageRow({
    id: `req_${at}`,
    at_ms: 1000 + at,
    account_id: `acc_${at % 2}`,
    status: at % 5 === 0 ? 500 : 200,
  }),
);

const read = (database: LogDatabase, filter: UsageFilter, offset = 0) =>
  readUsage(database, filter, { limit: 4, offset });

const numbersOf = (listing: UsageListing) => listing.rows.map(({ id }) => id.replace("req_", ""));

test("a page has its rows, their total and where to go on", async () => {
  using database = new LogDatabase();
  database.insert(...rows);
  const first = await read(database, { status: 500 });
  expect(numbersOf(first)).toEqual(["20", "15", "10", "5"]);
  expect(first).toMatchObject({ total: 5, isTotalExact: true, next: { atMs: 1005 } });
  const last = await read(database, { status: 500 }, 4);
  expect(last).toMatchObject({ total: 5, isTotalExact: true, next: null });
  expect(numbersOf(last)).toEqual(["0"]);
});

test("a page past the end knows how many there are all the same", async () => {
  using database = new LogDatabase();
  database.insert(...rows);
  const found = await read(database, { accountId: "acc_0" }, 100);
  expect(found).toEqual({ rows: [], total: 13, isTotalExact: true, next: null });
});

test("a page that ends with the last row leads nowhere", async () => {
  using database = new LogDatabase();
  database.insert(...rows.slice(0, 4));
  expect(await read(database, {})).toMatchObject({ total: 4, next: null });
});

test("from place to place every row is seen once", async () => {
  using database = new LogDatabase();
  database.insert(...rows.map((row, at) => ({ ...row, at_ms: Math.floor(at / 3) })));
  for (const filter of [{}, { accountId: "acc_1" }, { status: 500 }, { keyIds: ["key_1"] }]) {
    const seen: string[] = [];
    let after: ListPlace | undefined;
    do {
      const page = await readUsage(database, filter, { limit: 4, offset: 0, after });
      seen.push(...page.rows.map(({ id }) => id));
      after = page.next ?? undefined;
    } while (after);
    const { rows: all } = await readUsage(database, filter, { limit: 100, offset: 0 });
    expect(seen).toEqual(all.map(({ id }) => id));
  }
});

test("what is counted has an end, and says so", async () => {
  using database = new LogDatabase();
  const many = (count: number) =>
    Array.from({ length: count }, (_, at) => usageRow({ id: `req_${at}`, at_ms: at }));
  database.insert(...many(totalMax));
  expect(await read(database, {})).toMatchObject({ total: totalMax, isTotalExact: true });
  database.insert(...many(1));
  expect(await read(database, {})).toMatchObject({ total: totalMax, isTotalExact: false });
});

test("a filter that hardly any row passes does not have the whole log read", async () => {
  using database = new LogDatabase();
  const { rare, days } = { rare: "req_rare", days: 40 };
  database.insert(usageRow({ id: rare, at_ms: 5, model: "rare" }));
  // Stand-in for a hundred thousand rows a day, of which one is enough here.
  for (let day = 0; day < days; day++) {
    database.insert(usageRow({ id: `req_${day}`, at_ms: day * dayMs + 10 }));
  }
  database.all("update usage_channel_day set requests = 100000 where model = 'chat-a'");
  const found = await read(database, { model: "rare" });
  expect(found).toMatchObject({ rows: [], total: 0, isTotalExact: false });
  expect(dayOf(found.next?.atMs ?? 0)).toBe(days - 11);
  const seen: string[] = [];
  let looks = 0;
  for (let after = found.next; after; looks++) {
    const page = await readUsage(database, { model: "rare" }, { limit: 4, offset: 0, after });
    seen.push(...page.rows.map(({ id }) => id));
    after = page.next;
  }
  expect(seen).toEqual([rare]);
  expect(looks).toBeLessThan(6);
});

test("days whose rows have expired do not count", async () => {
  using database = new LogDatabase();
  for (let day = 0; day < 40; day++) database.insert(usageRow({ at_ms: day * dayMs }));
  database.all("update usage_channel_day set requests = 100000");
  database.expireRows(38 * dayMs);
  const found = await read(database, { model: "rare" });
  expect(found).toEqual({ rows: [], total: 0, isTotalExact: true, next: null });
});
