import { expect, test } from "bun:test";
import { drawnOf, readMembers, writeMembers } from "./members.ts";

test("members are typed one a line and read back as they were", () => {
  const plain = { weight: null, window_tokens: null, served: true };
  const text = writeMembers([
    { ...plain, model: "a", when: ["fault", "load", "context"] },
    { ...plain, model: "b/c:d", when: ["refused"], weight: 9, window_tokens: 200 },
  ]);
  expect(text).toBe("a\nb/c:d weight=9 when=refused window=200");
  expect(readMembers(`\n${text}\n  \n`)).toEqual([
    { model: "a" },
    { model: "b/c:d", weight: 9, when: ["refused"], window_tokens: 200 },
  ]);
});

test("what is no number stays as it was typed, for the gateway to refuse", () => {
  expect(readMembers("a weight=many size=3")).toEqual([{ model: "a", weight: "many", size: 3 }]);
});

test("of a weighted set each has its share of what is asked first, and the others follow", () => {
  const [a, b, c] = [{ model: "a", weight: 90 }, { model: "b" }, { model: "c", weight: 30 }];
  expect(drawnOf([a, b, c])).toEqual({
    drawn: [
      { member: a, part: 0.75 },
      { member: c, part: 0.25 },
    ],
    others: [b],
  });
  expect(drawnOf([b])).toEqual({ drawn: [], others: [b] });
});
