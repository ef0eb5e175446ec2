import { expect, test } from "bun:test";
import fc from "fast-check";
import { dayMs } from "../../core/day.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import { foldSlots } from "../slots/queries.ts";
import type { UsageFilter } from "./queries.ts";
import { sumListed } from "./sum-usage.ts";

const nowMs = 20_000 * dayMs + 1234;

const someRow = fc
  .record({
    at_ms: fc.integer({ min: nowMs - 12 * dayMs, max: nowMs }),
    account_id: fc.constantFrom("acc_1", "acc_2"),
    group_name: fc.constantFrom("g", "h"),
    route: fc.constantFrom("/v1/chat/completions", "/v1/messages"),
    outcome: fc.constantFrom("ok" as const, "rejected" as const, "client_abort" as const),
    micros: fc.nat(1000),
  })
  .map((fields) => usageRow(fields));

const someFilter: fc.Arbitrary<UsageFilter> = fc.record(
  {
    accountId: fc.constantFrom("acc_1", "acc_2"),
    group: fc.constantFrom("g", "h"),
    routes: fc.constantFrom(["/v1/messages"], ["/v1/messages", "/v1/chat/completions"]),
    isFailed: fc.boolean(),
    fromMs: fc.integer({ min: nowMs - 13 * dayMs, max: nowMs }),
    toMs: fc.integer({ min: nowMs - 13 * dayMs, max: nowMs + 1 }),
  },
  { requiredKeys: [] },
);

test("what comes of slots and ends is what the rows come to, at any moment and any age", async () => {
  const rows = fc.array(someRow, { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(rows, someFilter, async (written, filter) => {
      using database = new LogDatabase();
      database.insert(...written);
      for (const query of foldSlots(nowMs)) database.change(query);
      const byRows = await sumListed(database, filter, { nowMs, isFew: true });
      const bySlots = await sumListed(database, filter, { nowMs, isFew: false });
      expect({ ...byRows?.sums, rows: 0 }).toEqual({ ...bySlots?.sums, rows: 0 });
    }),
    { numRuns: 60 },
  );
});

test("what slots do not know is summed where it is little, and not at all where it is much", async () => {
  using database = new LogDatabase();
  database.insert(usageRow({ at_ms: nowMs, status: 429, micros: 5 }));
  const filter = { status: 429 };
  expect((await sumListed(database, filter, { nowMs, isFew: true }))?.sums.micros).toBe(5);
  expect(await sumListed(database, filter, { nowMs, isFew: false })).toBeNull();
  database.insert(usageRow({ at_ms: nowMs - dayMs }));
  const ofModel = await sumListed(database, { model: "chat-a" }, { nowMs, isFew: false });
  expect(ofModel?.isExact).toBe(false);
});
