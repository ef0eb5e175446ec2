import { expect, test } from "bun:test";
import fc from "fast-check";
import { dayMs } from "../../core/day.ts";
import { Lru } from "../../core/lru.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import { foldSlots, forgetSlots } from "../slots/queries.ts";
import {
  chooseSlots,
  listSlots,
  listTopNames,
  sumSlots,
  toSource,
} from "../slots/reading/queries.ts";
import { readPointRows, readSumRow, type SlotPoint } from "../slots/reading/sums.ts";
import { hourDays, slotMs, type SlotDimension } from "../slots/slots.ts";
import { facetNames, chooseFacet, judgedOutcomes, slotsInDay, splitSpan } from "./facets.ts";
import { fillFacets } from "./fill.ts";
import { forgetFacets, listFacetDays } from "./queries.ts";
import { SlotReader, type FacetMemory } from "./read.ts";

const nowMs = 20_000 * dayMs + 5 * slotMs;
const today = 20_000;
const slots = { from: (today - 12) * slotsInDay, to: (today + 1) * slotsInDay };

const someRow = fc
  .record({
    // Two that are old enough to be folded, the last that is over, and today.
    day: fc.constantFrom(today - 10, today - 9, today - 1, today),
    slot: fc.nat(slotsInDay - 1),
    account_id: fc.constantFrom("acc_1", "acc_2", "acc_3"),
    key_id: fc.constantFrom("key_1", "key_2", "key_3", "key_4"),
    model: fc.constantFrom("chat-a", "chat-b", "chat-c"),
    channel_id: fc.constantFrom("chn_1", "chn_2", null),
    route: fc.constantFrom("/v1/chat/completions", "/v1/messages"),
    outcome: fc.constantFrom("ok" as const, "rejected" as const, "upstream_error" as const),
    micros: fc.nat(1000),
    latency_ms: fc.nat(9000),
    first_byte_ms: fc.nat(900),
    failed_attempts: fc.constantFrom(0, 1),
    attempts: fc.constant(2),
  })
  .map(({ day, slot, ...fields }) =>
    usageRow({
      at_ms: day * dayMs + slot * slotMs,
      failed_channels: fields.failed_attempts === 0 ? null : "chn_2",
      ...fields,
    }),
  );

const someAsk = fc.record({
  only: fc.constantFrom(
    {},
    { outcome: judgedOutcomes },
    { model: ["chat-a"] },
    { account_id: ["acc_1"] },
  ),
  by: fc.constantFrom<(SlotDimension | null)[]>(
    null,
    "account_id",
    "key_id",
    "channel_id",
    "model",
    "route",
    "outcome",
  ),
  fromSlot: fc.integer({ min: slots.from, max: slots.to - 200 }),
  length: fc.integer({ min: 1, max: 12 * slotsInDay }),
  steps: fc.record({ step: fc.constantFrom(1, 4, 96), offset: fc.constantFrom(0, 22, -20, 32) }),
  most: fc.integer({ min: 1, max: 4 }),
});

const sorted = (points: readonly SlotPoint[]) =>
  points
    // A point in which nothing was says nothing.
    .filter(({ counts }) => Object.values(counts).some(Boolean))
    .toSorted(
      (one, other) =>
        one.bucket - other.bucket || String(one.name).localeCompare(String(other.name)),
    );

test("what is read is what the slots say, whatever was added, folded or filled in before", async () => {
  const rows = fc.array(someRow, { maxLength: 40 });
  const run = async (early: Rows, late: Rows, foldsFirst: boolean, ask: Ask) => {
    using database = new LogDatabase();
    const memory = new Lru<string, readonly SlotPoint[]>(10);
    const fold = () => foldSlots(nowMs).forEach((query) => database.change(query));
    database.insert(...early);
    if (foldsFirst) fold();
    await fillFacets(database, nowMs);
    if (!foldsFirst) fold();
    database.insert(...late);
    await compare(database, ask, memory);
    // From memory, where anything is to be remembered.
    await compare(database, ask, memory);
    await fillFacets(database, nowMs);
    await compare(database, ask, memory);
    fold();
    // A remembered chart is as fine as it was.
    await compare(database, ask, new Lru<string, readonly SlotPoint[]>(10));
  };
  await fc.assert(fc.asyncProperty(rows, rows, fc.boolean(), someAsk, run), { numRuns: 25 });
});

type Rows = ReturnType<typeof usageRow>[];
type Ask = typeof someAsk extends fc.Arbitrary<infer One> ? One : never;

async function compare(database: LogDatabase, ask: Ask, memory: FacetMemory) {
  const { by, only, fromSlot, length, steps, most } = ask;
  const filter = { fromSlot, toSlot: Math.min(fromSlot + length, slots.to), only };
  const view = chooseSlots(filter, by);
  if (view === null) return;
  const source = toSource(view, filter);
  const sums = await readSumRow(database, () => sumSlots(source, "apart"));
  const wholeView = chooseSlots(filter, null) ?? view;
  const reader = new SlotReader(database, filter, memory);
  expect(await reader.sum(wholeView)).toMatchObject(sums);
  const readPlain = (names: readonly string[] | null) =>
    readPointRows(database, () => listSlots(source, { by, names, steps }, "apart"));
  if (by === null) {
    const plain = await readPlain(null);
    const points = await reader.wholePoints(view, steps);
    expect(sorted(points)).toEqual(sorted(plain));
    return;
  }
  const plainTop = database.list(listTopNames(source, { by, limit: most }));
  const names = await reader.topNames({ view, by }, most);
  expect(names).toEqual(plainTop.map(({ name }) => name));
  const plain = await readPlain(names);
  expect(sorted(await reader.points({ view, by }, { names, steps }))).toEqual(sorted(plain));
}

test("facets serve as long as nothing was added to their day, and are read in place of slots", async () => {
  using database = new LogDatabase();
  const days = () => database.list(listFacetDays({ fromDay: 0, toDay: today })).map(toDay);
  const toDay = ({ day }: { day: number }) => day;
  const row = (day: number) => usageRow({ at_ms: day * dayMs, micros: 5 });
  database.insert(row(today - 3), row(today - 2), row(today));
  await fillFacets(database, nowMs);
  expect(days()).toEqual([today - 3, today - 2]);
  database.insert(row(today - 3));
  expect(days()).toEqual([today - 2]);
  // Delete as if by a fault: what serves is seen by what it says.
  database.change(forgetSlots(slots.to)[1] ?? expect.unreachable());
  const filter = { fromSlot: slots.from, toSlot: slots.to, only: {} };
  const sum = await new SlotReader(database, filter).sum("usage_channel_slot");
  expect(sum.counts).toMatchObject({ requests: 1, micros: 5 });
  for (const query of forgetFacets(today - 1)) database.change(query);
  expect(days()).toEqual([]);
});

test("only days that are over and are kept in slots are filled in", async () => {
  using database = new LogDatabase();
  for (const day of [today - hourDays - 1, today - hourDays, today]) {
    database.insert(usageRow({ at_ms: day * dayMs }));
  }
  await fillFacets(database, nowMs);
  const filled = database.all("select distinct day from usage_facet_day");
  expect(filled).toEqual([{ day: today - hourDays }]);
  const facets = database.all("select distinct facet from usage_facet_slot order by facet");
  expect(facets.map(({ facet }) => facet)).toEqual(facetNames.toSorted());
});

test("a facet is of one thing alone", () => {
  const whole = "usage_channel_slot";
  expect(chooseFacet({}, null, whole)).toEqual({ facet: "all", names: null });
  expect(chooseFacet({}, "key_id", "usage_slot")).toEqual({ facet: "key_id", names: null });
  expect(chooseFacet({ model: ["a"] }, null, whole)).toEqual({ facet: "model", names: ["a"] });
  expect(chooseFacet({ outcome: judgedOutcomes }, "model", whole)?.facet).toBe("health");
  expect(chooseFacet({ outcome: ["ok"] }, "model", whole)).toBeNull();
  expect(chooseFacet({ model: ["a"], route: ["r"] }, null, whole)).toBeNull();
});

test("a span is split at days, and neighbours are one", () => {
  const span = { fromSlot: 10, toSlot: 400 };
  expect(splitSpan(span, [])).toEqual({ within: [], beside: [span] });
  expect(splitSpan(span, [0, 1, 3, 9])).toEqual({
    within: [
      { fromSlot: 10, toSlot: 192 },
      { fromSlot: 288, toSlot: 384 },
    ],
    beside: [
      { fromSlot: 192, toSlot: 288 },
      { fromSlot: 384, toSlot: 400 },
    ],
  });
});
