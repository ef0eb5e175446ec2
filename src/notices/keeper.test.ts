import { expect, test } from "bun:test";
import { createBudget } from "../admin/budget/create.ts";
import { openPlane, type Plane } from "../admin/fixtures/control-plane.ts";
import { dayMs } from "../core/day.ts";
import type { Channel } from "../distribution/channel.ts";
import { plainChannel } from "../distribution/fixtures/plain-channel.ts";
import { NoticeKeeper } from "./keeper.ts";
import { LocalWatch } from "./local-watch.ts";
import { NoticeSender } from "./sender.ts";

/** A gateway's surroundings of notices; its clock goes only as far as a test lets it. */
class Watchman {
  readonly told: string[] = [];
  nowMs = Date.parse("2026-03-01T21:30:00Z");
  freePercent = 50;
  isReachable = true;
  /** Channels of the process that looks next. */
  channels: readonly Channel[] = [];
  readonly #plane: Plane;

  constructor(plane: Plane) {
    this.#plane = plane;
  }

  at(time: string): void {
    this.nowMs = Date.parse(`2026-03-${time}:00Z`);
  }

  /** A process starts, looks once and stops: what the next one knows is in the database. */
  async look(except: readonly string[] | null = null): Promise<void> {
    const { store, database, ids, log } = this.#plane.control;
    const clock = { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs };
    let tick = () => {};
    const timers = {
      after: () => () => {},
      every(_periodMs: number, run: () => void) {
        tick = run;
        return () => {};
      },
    };
    const send = async (notices: readonly { id: string; kind: string }[]) => {
      if (!this.isReachable) throw new Error("nobody is there");
      this.told.push(...notices.map(({ kind }) => kind));
    };
    const way = { batchMax: 10, send };
    const sender = new NoticeSender({
      database,
      clock,
      timers,
      log,
      rules: { quiet: except && { from: "22:00", to: "07:00", zone: "UTC", except } },
      ways: new Map([["ops", way]]),
      ownWay: () => way,
    });
    const local = new LocalWatch({
      clock,
      channels: { all: [...this.channels] },
      diskBytes: () => ({ free: this.freePercent, size: 100 }),
      rules: { diskFreePercent: 10, channelOutMinutes: 0 },
      nodeName: null,
    });
    const keeper = new NoticeKeeper({
      store,
      database,
      clock,
      timers,
      ids,
      log,
      marks: {
        rules: { lowBalanceMicros: 0, lowKeyPercent: 0, webhookTries: 5 },
        isWanted: () => true,
      },
      local,
      sender,
      rules: { destinations: [{ name: "ops", type: "slack", hook_url: "https://chat.example" }] },
      telling: null,
      checkMs: 1000,
      retention: { logDays: 30 },
    });
    tick();
    await keeper.close();
  }
}

test("what is found in a quiet time waits for its end, to the minute, whoever runs then", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  watchman.freePercent = 5;
  for (const time of ["01T22:00", "01T23:59", "02T00:00", "02T06:59"]) {
    watchman.at(time);
    await watchman.look([]);
    expect(watchman.told).toEqual([]);
  }
  watchman.at("02T07:00");
  await watchman.look([]);
  await watchman.look([]);
  expect(watchman.told).toEqual(["disk_full"]);
});

test("what a quiet time excepts is told in it, and what ended in it is never told", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  watchman.freePercent = 5;
  watchman.at("01T23:00");
  await watchman.look(["disk_full"]);
  expect(watchman.told).toEqual(["disk_full"]);
  watchman.freePercent = 50;
  await watchman.look(["disk_full"]);
  watchman.freePercent = 5;
  watchman.at("02T01:00");
  await watchman.look([]);
  watchman.freePercent = 50;
  await watchman.look([]);
  watchman.at("02T08:00");
  await watchman.look([]);
  expect(watchman.told).toEqual(["disk_full"]);
});

test("a cause is told once over any number of restarts, and once more when it came back", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  watchman.freePercent = 5;
  for (let starts = 0; starts < 4; starts++) {
    await watchman.look();
    watchman.nowMs += dayMs;
  }
  expect(watchman.told).toEqual(["disk_full"]);
  watchman.freePercent = 50;
  await watchman.look();
  watchman.freePercent = 5;
  for (let starts = 0; starts < 3; starts++) await watchman.look();
  expect(watchman.told).toEqual(["disk_full", "disk_full"]);
});

test("what did not arrive is tried again after its minutes, also by the next process", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  watchman.freePercent = 5;
  watchman.isReachable = false;
  await watchman.look();
  watchman.isReachable = true;
  watchman.nowMs += 59_999;
  await watchman.look();
  expect(watchman.told).toEqual([]);
  watchman.nowMs += 1;
  await watchman.look();
  await watchman.look();
  expect(watchman.told).toEqual(["disk_full"]);
});

test("a low report is told once, also by processes that have not seen it", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  const report = { model: "m", reportedTokens: 100, deliveredTokens: 2000 };
  const channel = plainChannel("reseller");
  channel.lowReports.add({ ...report, atMs: watchman.nowMs });
  watchman.channels = [channel];
  await watchman.look();
  watchman.channels = [];
  for (let starts = 0; starts < 3; starts++) {
    watchman.nowMs += dayMs / 2;
    await watchman.look();
  }
  expect(watchman.told).toEqual(["low_usage_report"]);
});

const windowMs = 3_600_000;

/** A budget of root with a window that closes an hour from now. */
async function spend({ control, root }: Plane, { nowMs }: Watchman, spentMicros: number) {
  const body = { name: "b", limit_micros: 100, marks: [80, 100] };
  const { id } = await createBudget(control, root, { body });
  const capId = `${id}/${root.accountId}@${nowMs}`;
  const row = {
    id: capId,
    budget_id: id,
    account_id: root.accountId,
    subject_id: null,
    mode: "stop",
    opened_at_ms: nowMs,
    closes_at_ms: nowMs + windowMs,
    limit_micros: 100,
    budget_micros: 100,
    carried_micros: 0,
    raised_micros: 0,
    lowered_from_micros: 0,
    held_micros: 0,
    spent_micros: spentMicros,
  } as const;
  await control.database.insertInto("cap").values(row).execute();
  const change = async (changes: { limit_micros?: number; spent_micros?: number }) => {
    const { limit_micros: limit } = changes;
    const set = limit === undefined ? changes : { ...changes, budget_micros: limit };
    await control.database.updateTable("cap").set(set).where("id", "=", capId).execute();
  };
  // No post stands behind what was spent, which the books are checked for at the end.
  return { change, [Symbol.asyncDispose]: () => change({ spent_micros: 0 }) };
}

test("a mark that was reached just before its window closed is told after it, once", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  await using window = await spend(plane, watchman, 79);
  await watchman.look();
  expect(watchman.told).toEqual([]);
  await window.change({ spent_micros: 85 });
  watchman.nowMs += windowMs;
  await watchman.look();
  expect(watchman.told).toEqual(["budget_mark"]);
  for (let looks = 0; looks < 3; looks++) {
    watchman.nowMs += windowMs / 2;
    await watchman.look();
  }
  expect(watchman.told).toEqual(["budget_mark"]);
});

test("a mark that was told before its window closed is not told after it", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  await using _window = await spend(plane, watchman, 85);
  for (const passMs of [0, windowMs - 1, 1, 1, windowMs]) {
    watchman.nowMs += passMs;
    await watchman.look();
    expect(watchman.told).toEqual(["budget_mark"]);
  }
});

test("a mark below one that was told is not told in its window, however it was raised", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  await using window = await spend(plane, watchman, 85);
  await watchman.look();
  await window.change({ spent_micros: 100 });
  await watchman.look();
  expect(watchman.told).toEqual(["budget_mark", "budget_mark"]);
  await window.change({ limit_micros: 120 });
  await watchman.look();
  await watchman.look();
  watchman.nowMs += windowMs;
  await watchman.look();
  expect(watchman.told).toEqual(["budget_mark", "budget_mark"]);
});

test("the same mark of a limit that was raised is told again", async () => {
  await using plane = await openPlane();
  const watchman = new Watchman(plane);
  await using window = await spend(plane, watchman, 100);
  await watchman.look();
  await window.change({ limit_micros: 120 });
  await watchman.look();
  expect(watchman.told).toEqual(["budget_mark"]);
  await window.change({ spent_micros: 120 });
  await watchman.look();
  expect(watchman.told).toEqual(["budget_mark", "budget_mark"]);
});
