// The facets of usage on PostgreSQL: they are read as the slots that they were made of.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { dayMs } from "../../src/core/day.ts";
import { SlotReader } from "../../src/observe/facets/read.ts";
import { fillFacets } from "../../src/observe/facets/fill.ts";
import { listFacetDays } from "../../src/observe/facets/queries.ts";
import { slotsInDay } from "../../src/observe/facets/facets.ts";
import { usageRow } from "../../src/observe/fixtures/log-database.ts";
import { encodeRecords } from "../../src/observe/queries.ts";
import { foldSlots } from "../../src/observe/slots/queries.ts";
import { changeLog, readLog } from "../../src/store/log.ts";
import type { Store } from "../../src/store/store.ts";
import { newDatabase, openDatabase } from "../harness/postgres.ts";

const today = 20_000;
let store: Store;

beforeAll(async () => {
  store = await openDatabase(await newDatabase());
});

afterAll(async () => {
  await store?.close();
});

function rowsOf(day: number, count: number) {
  return Array.from({ length: count }, (_, at) =>
    usageRow({
      id: `req_${day}_${at}`,
      at_ms: day * dayMs + at * 7_000_000,
      key_id: `key_${at % 3}`,
      account_id: `acc_${at % 2}`,
      micros: at * 10,
      failed_attempts: at % 4 === 0 ? 1 : 0,
      failed_channels: at % 4 === 0 ? "chn_2" : null,
    }),
  );
}

const span = { fromSlot: (today - 4) * slotsInDay + 3, toSlot: (today + 1) * slotsInDay, only: {} };

async function readAll() {
  const reader = new SlotReader(store, span);
  const byKey = { view: "usage_slot", by: "key_id" } as const;
  const names = await reader.topNames(byKey, 2);
  const steps = { step: slotsInDay, offset: 32 };
  return { names, points: await reader.points(byKey, { names, steps }) };
}

test("facets are filled in, serve, and no longer do where something was added", async () => {
  const add = (day: number, count: number) =>
    store.writeLog({ documents: [encodeRecords(rowsOf(day, count))] });
  await add(today - 3, 12);
  await add(today - 2, 9);
  await add(today, 2);
  const filled = async () => {
    const states = await readLog(store, listFacetDays({ fromDay: today - 9, toDay: today }));
    return states.map(({ day }) => day);
  };
  expect(await filled()).toEqual([]);
  const before = await readAll();
  expect(before.names).toEqual(["key_2", "key_1"]);
  await fillFacets(store, today * dayMs);
  expect(await filled()).toEqual([today - 3, today - 2]);
  expect(await readAll()).toEqual(before);
  await store.writeLog({ documents: [encodeRecords([usageRow({ at_ms: (today - 3) * dayMs })])] });
  expect(await filled()).toEqual([today - 2]);
  await fillFacets(store, today * dayMs);
  expect(await filled()).toEqual([today - 3, today - 2]);
});

test("nodes that fold the same quarters at the same time, while rows come late, count each once", async () => {
  const oldDay = today - 20;
  const lateMicros = 7;
  const rows = Array.from({ length: 96 }, (_, at) =>
    usageRow({ id: `req_old_${at}`, at_ms: oldDay * dayMs + at * 900_000, micros: 1 }),
  );
  const filter = { fromSlot: oldDay * slotsInDay, toSlot: (oldDay + 1) * slotsInDay, only: {} };
  const microsOf = async () => {
    const sums = await new SlotReader(store, filter).sum("usage_channel_slot");
    return sums.counts.micros;
  };
  let expected = 0;
  for (let turn = 0; turn < 10; turn++) {
    await store.writeLog({ documents: [encodeRecords(rows)] });
    expected += rows.length;
    const late = rows
      .filter((_, at) => at % 8 === 5)
      .map((row) => ({ ...row, micros: lateMicros }));
    expected += late.length * lateMicros;
    await Promise.all([
      ...Array.from({ length: 3 }, () => changeLog(store, foldSlots(today * dayMs))),
      fillFacets(store, today * dayMs),
      ...late.map((row) => store.writeLog({ documents: [encodeRecords([row])] })),
    ]);
    expect(await microsOf()).toBe(expected);
    await fillFacets(store, today * dayMs);
    expect(await microsOf()).toBe(expected);
  }
});
