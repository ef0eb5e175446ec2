import { expect, test } from "bun:test";
import { planMove, stepOf, targetAt, type Placed } from "./order.ts";

function placed(...priorities: number[]): Placed[] {
  return priorities.map((priority, at) => ({ id: "abcdef"[at] ?? "", priority, isFixed: false }));
}

test("a channel that is put between two gets a priority between theirs", () => {
  const all = placed(20, 10, 0);
  const between = { kind: "between", above: 20, below: 10 } as const;
  expect(planMove(all, "c", between)).toEqual([{ id: "c", priority: 15 }]);
  const first = { kind: "between", above: null, below: 20 } as const;
  expect(planMove(all, "c", first)).toEqual([{ id: "c", priority: 21 }]);
  const last = { kind: "between", above: 0, below: null } as const;
  expect(planMove(all, "a", last)).toEqual([{ id: "a", priority: -1 }]);
  expect(planMove(all, "a", { kind: "with", priority: 10 })).toEqual([{ id: "a", priority: 10 }]);
  expect(planMove(all, "b", { kind: "with", priority: 10 })).toEqual([]);
});

test("where there is no room, only those in the way make some, the highest first", () => {
  const all = placed(9, 3, 2, 1, 0);
  const between = { kind: "between", above: 2, below: 1 } as const;
  expect(planMove(all, "e", between)).toEqual([
    { id: "b", priority: 4 },
    { id: "c", priority: 3 },
    { id: "e", priority: 2 },
  ]);
});

test("one that cannot be changed makes no room, and shares with the next instead", () => {
  const all = placed(2, 1, 0).map((one) => (one.id === "a" ? { ...one, isFixed: true } : one));
  const between = { kind: "between", above: 2, below: 1 } as const;
  expect(planMove(all, "c", between)).toEqual([{ id: "c", priority: 1 }]);
});

test("a step by keyboard leaves those it shares with, or joins the next", () => {
  const all = placed(20, 10, 10, 0);
  expect(stepOf(all, "b", true)).toEqual({ kind: "between", above: 20, below: 10 });
  expect(stepOf(all, "b", false)).toEqual({ kind: "between", above: 10, below: 0 });
  expect(stepOf(all, "d", true)).toEqual({ kind: "with", priority: 10 });
  expect(stepOf(all, "a", true)).toBeNull();
});

test("what is let go in the middle of a row joins it, and at its edges stands beside it", () => {
  const all = placed(20, 10, 0);
  expect(targetAt(all, "c", { at: 0, part: 0.5 })).toEqual({ kind: "with", priority: 20 });
  const between = { kind: "between", above: 20, below: 10 } as const;
  expect(targetAt(all, "c", { at: 1, part: 0.1 })).toEqual(between);
  expect(targetAt(all, "c", { at: 0, part: 0.9 })).toEqual(between);
  const first = { kind: "between", above: null, below: 20 } as const;
  expect(targetAt(all, "c", { at: 0, part: 0 })).toEqual(first);
  expect(targetAt(all, "c", { at: 2, part: 0 })).toBeNull();
});
