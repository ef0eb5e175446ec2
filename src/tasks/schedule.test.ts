import { expect, test } from "bun:test";
import fc from "fast-check";
import type { TaskId } from "../core/ids.ts";
import { Schedule } from "./schedule.ts";

const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ addAtMs: fc.integer({ min: 0, max: 1000 }) }) },
  fc.record({ takeUntilMs: fc.integer({ min: 0, max: 1000 }) }),
);

test("what is due comes out in the order of its time, all of it and nothing else", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const schedule = new Schedule();
      let waiting: { id: TaskId; atMs: number }[] = [];
      for (const [number, one] of steps.entries()) {
        if ("addAtMs" in one) {
          const due = { id: `task_${number}` as TaskId, atMs: one.addAtMs };
          waiting.push(due);
          schedule.add(due.id, due.atMs);
          continue;
        }
        const taken: { id: TaskId; atMs: number }[] = [];
        const take = () => schedule.take(one.takeUntilMs);
        for (let due = take(); due; due = take()) taken.push(due);
        const expected = waiting.filter(({ atMs }) => atMs <= one.takeUntilMs);
        waiting = waiting.filter(({ atMs }) => atMs > one.takeUntilMs);
        expect(taken.map(({ atMs }) => atMs)).toEqual(timesOf(expected));
        expect(idsOf(taken)).toEqual(idsOf(expected));
        expect(schedule.size).toBe(waiting.length);
      }
    }),
  );
});

test("nothing is taken before its time", () => {
  const schedule = new Schedule();
  schedule.add("task_1" as TaskId, 10);
  expect(schedule.take(9)).toBeNull();
  expect(schedule.take(10)).toEqual({ id: "task_1" as TaskId, atMs: 10 });
  expect(schedule.take(10)).toBeNull();
});

function timesOf(dues: readonly { atMs: number }[]): number[] {
  return dues.map(({ atMs }) => atMs).toSorted((one, other) => one - other);
}

function idsOf(dues: readonly { id: TaskId }[]): TaskId[] {
  return dues.map(({ id }) => id).toSorted();
}
