import { expect, test } from "bun:test";
import { brief, changesOf } from "./changes.ts";

test("what differs is told with what it was and what it is", () => {
  const before = { name: "a", weight: 1, models: ["x"], note: null, gone: true };
  const after = { name: "a", weight: 2, models: ["x", "y"], note: null, added: 0 };
  expect(changesOf(before, after)).toEqual({
    weight: { from: 1, to: 2 },
    models: { from: ["x"], to: ["x", "y"] },
    gone: { from: true, to: null },
    added: { from: null, to: 0 },
  });
});

test("of what is new or gone all is told that is set", () => {
  expect(changesOf(null, { name: "a", note: null, weight: 0 })).toEqual({ name: "a", weight: 0 });
  expect(changesOf({ name: "a" }, null)).toEqual({ name: "a" });
});

test("what is long is cut, and what looks like a secret is taken out", () => {
  const cut = brief({ text: "x".repeat(5000), list: Array.from({ length: 999 }, (_, at) => at) });
  expect(String(cut["text"]).length).toBeLessThan(310);
  expect(String(cut["list"])).toStartWith("[0,1,2");
  expect(String(cut["list"]).length).toBeLessThan(310);
  const told = JSON.stringify(brief({ url: "https://a:b@host/", key: "sk-0123456789abcdef" }));
  expect(told).not.toContain("0123456789abcdef");
  expect(told).not.toContain("a:b");
});
