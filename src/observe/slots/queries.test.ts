import { expect, test } from "bun:test";
import { dayMs } from "../../core/day.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import { usageLogMigrations } from "../versions/queries.ts";
import { foldSlots, forgetSlots } from "./queries.ts";
import { chooseSlots, listSlots, listTopNames, sumSlots, toSource } from "./reading/queries.ts";
import { hourDays, slotMs } from "./slots.ts";

const nowMs = 20_000 * dayMs;
const all = { fromSlot: 0, toSlot: 10_000_000, only: {} };
const quarters = { step: 1, offset: 0 };

/** One row for each quarter of two hours, long ago and now, with a failed attempt elsewhere. */
function rows() {
  return [nowMs - 9 * dayMs, nowMs - dayMs].flatMap((startMs) =>
    Array.from({ length: 8 }, (_, slot) =>
      usageRow({
        id: `req_${startMs}_${slot}`,
        at_ms: startMs + slot * slotMs + 1,
        account_id: `acc_${slot % 2}`,
        outcome: slot === 3 ? "rejected" : "ok",
        attempts: 2,
        failed_attempts: 1,
        failed_channels: "chn_bad",
        micros: 10,
        latency_ms: 150,
        first_byte_ms: 50,
        media_ms: 0,
      }),
    ),
  );
}

function summed(database: LogDatabase) {
  return (["usage_slot", "usage_channel_slot"] as const).map(
    (view) => database.list(sumSlots(toSource(view, all), "apart"))[0],
  );
}

test("both views have the sums of the rows, and channels each attempt", () => {
  using database = new LogDatabase();
  database.insert(...rows());
  const [own, whole] = summed(database);
  const sums = { requests: 16, failures: 2, micros: 160, total_1_second: 14, first_1: 14 };
  expect(own).toMatchObject({ ...sums, total_1: 0, total_7_second: 0 });
  expect(whole).toMatchObject({ ...sums, attempts: 32, attempt_failures: 16 });
  const channels = toSource("usage_channel_slot", all);
  const top = database.list(listTopNames(channels, { by: "channel_id", limit: 1 }));
  expect(top).toEqual([{ name: "chn_1" }]);
  const names = ["chn_1"];
  const ask = { by: "channel_id", names, steps: { step: 96, offset: 0 } } as const;
  const points = database.list(listSlots(channels, ask, "apart"));
  expect(points.map(({ bucket, name, attempts }) => [bucket, name, attempts])).toEqual([
    [nowMs / dayMs - 9, null, 8],
    [nowMs / dayMs - 1, null, 8],
    [nowMs / dayMs - 9, "chn_1", 8],
    [nowMs / dayMs - 1, "chn_1", 8],
  ]);
});

test("a step counts by the clocks of its zone before and after they leap", () => {
  using database = new LogDatabase();
  database.insert(...rows());
  const day = nowMs / dayMs;
  const leaps = [{ slot: (nowMs - dayMs) / slotMs + 2, offset: -4 }];
  const ask = { by: null, names: null, steps: { step: 96, offset: 0, leaps } };
  const points = database.list(listSlots(toSource("usage_slot", all), ask, "apart"));
  // An hour back: the third quarter of the day is in the day before, and so on up to the fourth.
  expect(points.map(({ bucket, requests }) => [bucket, requests])).toEqual([
    [day - 9, 8],
    [day - 2, 2],
    [day - 1, 6],
  ]);
});

test("old quarters become hours, and nothing is lost or counted twice", () => {
  using database = new LogDatabase();
  database.insert(...rows());
  const before = summed(database);
  for (let turn = 0; turn < 2; turn++) {
    for (const query of foldSlots(nowMs)) database.change(query);
    expect(summed(database)).toEqual(before);
  }
  const ask = { by: null, names: [], steps: quarters };
  const slots = database
    .list(listSlots(toSource("usage_slot", all), ask, "apart"))
    .map(({ bucket }) => bucket);
  const [old, young] = [(nowMs - 9 * dayMs) / slotMs, (nowMs - dayMs) / slotMs];
  expect(slots).toEqual([old, old + 4, ...Array.from({ length: 8 }, (_, slot) => young + slot)]);
  for (const query of forgetSlots((nowMs - hourDays * dayMs) / slotMs)) database.change(query);
  expect(summed(database)).toEqual(before);
  for (const query of forgetSlots(young)) database.change(query);
  expect(summed(database)).toMatchObject([{ requests: 8 }, { requests: 8 }]);
});

test("a log of the version before has the sums of its rows after an upgrade", () => {
  using upgraded = new LogDatabase(usageLogMigrations.slice(0, 4));
  using fresh = new LogDatabase();
  fresh.insert(...rows());
  upgraded.adopt(fresh);
  upgraded.migrate();
  const [own, whole] = summed(fresh);
  // Channels of the failed attempts are told by the rows alone.
  expect(summed(upgraded)).toEqual([own, { ...whole, attempts: 16, attempt_failures: 0 }]);
});

test("an account's own lie together, and everyone's are read account by account", () => {
  using database = new LogDatabase();
  const own = { ...all, only: { account_id: ["acc_1"] } };
  expect(chooseSlots(own, "model")).toBe("usage_slot");
  expect(chooseSlots({ ...all, only: { channel_id: ["chn_1"] } }, "key_id")).toBeNull();
  expect(database.plan(sumSlots(toSource("usage_slot", own), "together"))).toContain(
    "account_id=? AND slot>?",
  );
  expect(database.plan(sumSlots(toSource("usage_slot", all), "together"))).toContain(
    "account_id=? AND slot>?",
  );
  expect(database.plan(sumSlots(toSource("usage_channel_slot", all), "together"))).toContain(
    "slot>?",
  );
});
