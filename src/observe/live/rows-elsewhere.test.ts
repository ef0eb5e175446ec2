import { expect, test } from "bun:test";
import type { Timers } from "../../core/clock.ts";
import { LogDatabase, usageRow } from "../fixtures/log-database.ts";
import { LiveLog } from "./live-log.ts";
import { RowsElsewhere } from "./rows-elsewhere.ts";

function begin(database: LogDatabase) {
  const ticks: (() => void)[] = [];
  const timers: Timers = {
    after: () => () => {},
    every(_periodMs, run) {
      ticks.push(run);
      return () => {};
    },
  };
  const live = new LiveLog(new RowsElsewhere({ log: database, timers }));
  const ids: string[] = [];
  const follow = () => live.follow({ filter: {}, push: ({ id }) => ids.push(id), end() {} });
  const pass = async () => {
    for (const run of ticks) run();
    await live.ready();
  };
  return { live, ids, follow, pass };
}

test("rows that another node writes are told once, and those of this one no second time", async () => {
  using database = new LogDatabase();
  database.insert(usageRow({ id: "req_before" }));
  const { live, ids, follow, pass } = begin(database);
  follow();
  await live.ready();
  const own = usageRow({ id: "req_own" });
  live.tell(own);
  database.insert(own);
  database.insert(usageRow({ id: "req_elsewhere" }));
  await pass();
  await pass();
  expect(ids).toEqual(["req_own", "req_elsewhere"]);
});

test("what is written while nobody looks on is told to nobody", async () => {
  using database = new LogDatabase();
  const { live, ids, follow, pass } = begin(database);
  const stop = follow();
  await live.ready();
  stop();
  database.insert(usageRow({ id: "req_unseen" }));
  follow();
  await live.ready();
  await pass();
  database.insert(usageRow({ id: "req_seen" }));
  await pass();
  expect(ids).toEqual(["req_seen"]);
});
