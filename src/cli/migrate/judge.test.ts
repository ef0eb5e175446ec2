import { expect, test } from "bun:test";
import type { Peeked } from "../../store/move/peek.ts";
import type { Relocation } from "../../store/move/relocation.ts";
import { judge } from "./judge.ts";

const marked = (state: Relocation["state"], id = "move_1"): Peeked => ({
  isBegun: true,
  mark: { move_id: id, state, detail: "elsewhere", at_ms: 0 },
});
const served: Peeked = { isBegun: true, mark: null };
const empty: Peeked = { isBegun: false, mark: null };

test("a move begins into an empty place, also from where rows came to, or wanted to leave", () => {
  for (const source of [served, marked("arrived"), marked("departing")]) {
    expect(judge(source, empty)).toEqual({ kind: "begin" });
  }
});

test("a move goes on only between the two places that it began between", () => {
  expect(judge(marked("departing"), marked("arriving")).kind).toBe("resume");
  expect(judge(marked("departed"), marked("arriving")).kind).toBe("finish");
  expect(judge(marked("departed"), marked("arrived")).kind).toBe("done");
  const other = marked("arriving", "move_2");
  expect(() => judge(marked("departing"), other)).toThrow("given up");
  expect(() => judge(served, other)).toThrow("given up");
  expect(() => judge(marked("departed"), other)).toThrow("have moved to elsewhere");
  expect(() => judge(marked("departed"), empty)).toThrow("have moved to elsewhere");
});

test("rows of a gateway are never overwritten, and half of them never moved", () => {
  for (const target of [served, marked("arrived"), marked("departing"), marked("departed")]) {
    expect(() => judge(served, target)).toThrow("the target has the rows of a gateway");
  }
  expect(() => judge(marked("arriving"), empty)).toThrow("was not finished");
  expect(() => judge(empty, empty)).toThrow("there are no rows of a gateway");
});
