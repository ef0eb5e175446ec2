import { expect, test } from "bun:test";
import { billOf, lineDollars } from "./bill.ts";

test("a bill of tokens is rounded up once, as in the ledger", () => {
  const bill = billOf("500000/2000000/25000/500000/0", "133/85/20/0");
  expect(bill?.micros).toBe(227);
  expect(bill?.lines.map(({ name, tokens }) => [name, tokens])).toEqual([
    ["input", 113],
    ["cacheRead", 20],
    ["output", 85],
  ]);
});

test("what was charged once for the call is in the bill", () => {
  expect(billOf("1/1/1/1/1000", "1/1/0/0")?.micros).toBe(1001);
});

test("usage that was counted here is read like the vendor's", () => {
  expect(billOf("1000000/0/0/0/0", "~7/1/0/0")?.micros).toBe(7);
});

test("what has surcharges or is not by tokens is left to the ledger's words", () => {
  expect(billOf("1/1/1/1/0 web_search=10000x5", "1/1/0/0")).toBeNull();
  expect(billOf("1/1/1/1/0", "5s")).toBeNull();
  expect(billOf(null, null)).toBeNull();
});

test("lines are shown to the part of a micro that one of them has", () => {
  const read = { name: "cacheRead", tokens: 133, picos: 250_000 } as const;
  const output = { name: "output", tokens: 85, picos: 2_000_000 } as const;
  expect(lineDollars(output, [output])).toBe("$0.000170");
  expect([read, output].map((line) => lineDollars(line, [read, output]))).toEqual([
    "$0.00003325",
    "$0.00017000",
  ]);
});
