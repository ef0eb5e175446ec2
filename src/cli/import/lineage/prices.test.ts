import { expect, test } from "bun:test";
import type { Lineage } from "./dialect.ts";
import { Options } from "./options.ts";
import { readRatios } from "./prices.ts";

const lineage: Lineage = {
  program: "any",
  channels: {},
  otherChannels: {},
  isDeleted: () => false,
  hasSubjects: true,
  locksOutput: true,
};

function pricesOf(saved: Record<string, object | string>, models: string[], locksOutput = true) {
  const texts = Object.entries(saved).map(
    ([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  return readRatios(new Options(new Map(texts)), { ...lineage, locksOutput }, models);
}

test("a ratio of one is two dollars a million, and every other price follows from it", () => {
  const { prices } = pricesOf(
    {
      ModelRatio: { talk: 1.25 },
      CompletionRatio: { talk: 4 },
      CacheRatio: { talk: 0.1 },
      CreateCacheRatio: { talk: 1.25 },
    },
    ["talk"],
  );
  expect(prices).toEqual([
    {
      model: "talk",
      input_micros_per_million: 2_500_000,
      output_micros_per_million: 10_000_000,
      cache_read_micros_per_million: 250_000,
      cache_write_micros_per_million: 3_125_000,
    },
  ]);
});

test("what was never saved is as their program has it: cached input in full, output by name", () => {
  const saved = { ModelRatio: { talk: 0.075, "claude-3-opus": 7.5 }, CompletionRatio: {} };
  const { prices } = pricesOf(saved, ["talk", "claude-3-opus"]);
  expect(prices).toMatchObject([
    {
      input_micros_per_million: 150_000,
      output_micros_per_million: 150_000,
      cache_read_micros_per_million: 150_000,
      cache_write_micros_per_million: 187_500,
    },
    { input_micros_per_million: 15_000_000, output_micros_per_million: 75_000_000 },
  ]);
});

test("a built-in rule beats what was saved in the one program, and not in the other", () => {
  const saved = { ModelRatio: { "o3-mini": 1 }, CompletionRatio: { "o3-mini": 9 } };
  expect(pricesOf(saved, ["o3-mini"]).prices[0]?.output_micros_per_million).toBe(8_000_000);
  expect(pricesOf(saved, ["o3-mini"], false).prices[0]?.output_micros_per_million).toBe(18_000_000);
});

test("a fixed price is for a call, another unit changes the ratios alone, and free is told", () => {
  const saved = { QuotaPerUnit: "1000000", ModelPrice: { draw: 0.04 }, ModelRatio: { a: 1, b: 0 } };
  const { prices, unpriced, remarks } = pricesOf(saved, ["draw", "a", "b", "none"]);
  expect(prices[0]).toEqual({ model: "draw", call_micros: 40_000 });
  expect(prices[1]?.input_micros_per_million).toBe(1_000_000);
  expect(unpriced).toEqual(["none"]);
  expect(remarks).toEqual([{ about: "model b", why: "is free of charge, as it was there" }]);
  expect(() => pricesOf({ QuotaPerUnit: "1.5", ModelRatio: { a: 1 } }, ["a"])).toThrow("whole");
});

test("a price that is no whole micro is rounded, and told with what it was", () => {
  const saved = { ModelPrice: { tiny: 0.0000005 }, ModelRatio: { third: 0.333333333, whole: 1 } };
  const { prices, remarks } = pricesOf(saved, ["tiny", "third", "whole"]);
  expect(prices[0]).toEqual({ model: "tiny", call_micros: 1 });
  expect(prices[1]?.input_micros_per_million).toBe(666_667);
  const rounded = "prices are whole micros here:";
  expect(remarks).toContainEqual({
    about: "model tiny",
    why: `${rounded} a call was 0.5 micros and is 1`,
  });
  expect(remarks).toContainEqual({
    about: "model third",
    why: expect.stringContaining(
      `${rounded} a million of input was 666666.666 micros and is 666667`,
    ),
  });
  expect(remarks.filter(({ about }) => about === "model whole")).toEqual([]);
});
