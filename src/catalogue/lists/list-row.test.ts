import { expect, test } from "bun:test";
import { dearest, toListRow } from "./list-row.ts";

const nowMs = Date.parse("2026-11-01T12:00:00Z");

function priceOf(prices: Parameters<typeof toListRow>[1]["prices"]) {
  return toListRow("vendor", { id: "m", prices }, nowMs)?.price;
}

test("dollars become micros, without a micro more than what is printed", () => {
  expect(priceOf({ input_mtok: 0.1 + 0.2, output_mtok: 0.003625 })).toMatchObject({
    inputMicrosPerMillion: 300_000,
    outputMicrosPerMillion: 3_625,
  });
});

test("a tier by the length of the input becomes a percent of all tokens", () => {
  const tiered = (base: number, price: number) => ({ base, tiers: [{ start: 200_000, price }] });
  const price = priceOf({ input_mtok: tiered(1.25, 2.5), output_mtok: tiered(10, 15) });
  expect(price?.longContext).toEqual({
    aboveTokens: 200_000,
    inputPercent: 200,
    outputPercent: 150,
  });
});

test("calls and hosted tools are priced by the one", () => {
  const prices = { input_mtok: 1, output_mtok: 1, requests_kcount: 5, web_searches_kcount: 10 };
  expect(priceOf(prices)).toMatchObject({ callMicros: 5_000, toolMicros: { web_search: 10_000 } });
});

test("of prices by the date the newest holds that has begun, and by the hour the dearest", () => {
  const at = (input: number) => ({ input_mtok: input, output_mtok: 1 });
  const price = priceOf([
    { prices: at(1) },
    { constraint: { type: "start_date", start_date: "2026-08-01" }, prices: at(2) },
    { constraint: { type: "start_date", start_date: "2027-01-01" }, prices: at(9) },
    { constraint: { type: "time_of_date" }, prices: at(4) },
  ]);
  expect(price?.inputMicrosPerMillion).toBe(4_000_000);
});

test("what has no output is an embedding, and what is not sold by tokens or calls is nothing", () => {
  const embedding = toListRow("vendor", { id: "e", prices: { input_mtok: 0.02 } }, nowMs);
  expect(embedding?.kind).toBe("embedding");
  expect(embedding?.price.outputMicrosPerMillion).toBe(0);
  expect(toListRow("vendor", { id: "a", prices: { audio_hours: 1 } }, nowMs)).toBeNull();
});

test("of two places the dearer counts, amount by amount, and a cache only where both have one", () => {
  const one = priceOf({ input_mtok: 1, output_mtok: 5, cache_read_mtok: 0.1 });
  const other = priceOf({ input_mtok: 2, output_mtok: 4 });
  if (!one || !other) throw new Error("both have a price");
  expect(dearest([one, other])).toMatchObject({
    inputMicrosPerMillion: 2_000_000,
    outputMicrosPerMillion: 5_000_000,
    cacheReadMicrosPerMillion: null,
  });
});
