import { expect, test } from "bun:test";
import { DatabaseClock } from "./database-clock.ts";

function clockAt(databaseMs: () => number, roundTripMs: () => number) {
  let nowMs = 1000;
  const clock = new DatabaseClock({
    timers: { after: () => () => {}, every: () => () => {} },
    monotonicMs: () => nowMs,
    async ask() {
      nowMs += roundTripMs();
      return databaseMs();
    },
  });
  return { clock, pass: (ms: number) => (nowMs += ms) };
}

test("the time is the database's, and counts on between its answers", async () => {
  const { clock, pass } = clockAt(
    () => 5_000_000,
    () => 10,
  );
  await clock.begin();
  // The answer was given halfway.
  expect(clock.nowMs()).toBe(5_000_005);
  pass(300);
  expect(clock.nowMs()).toBe(5_000_305);
});

test("an answer that was long on its way changes nothing", async () => {
  let answerMs = 5_000_000;
  let roundTripMs = 0;
  const { clock } = clockAt(
    () => answerMs,
    () => roundTripMs,
  );
  await clock.begin();
  [answerMs, roundTripMs] = [9_000_000, 4000];
  await clock.ask();
  expect(clock.nowMs()).toBe(5_004_000);
});

test("where every answer is slow the last of them has to do", async () => {
  const { clock } = clockAt(
    () => 5_000_000,
    () => 2000,
  );
  await clock.begin();
  expect(clock.nowMs()).toBe(5_001_000);
});
