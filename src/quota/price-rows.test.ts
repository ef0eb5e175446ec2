// Prices between the wire of the control API and what is charged by.
import { expect, test } from "bun:test";
import type { PriceInput } from "../config/entities.ts";
import { priceChecker } from "../config/entity-rules.ts";
import { toListedPrice, toPriceInput } from "./price-rows.ts";

test("a price with surcharges is the same on both sides", () => {
  const price: PriceInput = {
    model: "m",
    input_micros_per_million: 1,
    output_micros_per_million: 2,
    cache_write_1h_micros_per_million: 3,
    audio_output_micros_per_million: 4,
    tool_micros: { web_search: 5 },
    factors: { "service_tier.priority": { input_percent: 200, output_percent: 150 } },
    long_context: { above_tokens: 6, input_percent: 200, output_percent: 150 },
  };
  expect(priceChecker.faults(price)).toEqual([]);
  const listed = toListedPrice(price);
  expect(listed).toMatchObject({
    cacheWriteHourMicrosPerMillion: 3,
    toolMicros: { web_search: 5 },
    factors: { "service_tier.priority": { inputPercent: 200, outputPercent: 150 } },
    longContext: { aboveTokens: 6, inputPercent: 200, outputPercent: 150 },
  });
  expect(toPriceInput("m", listed)).toEqual(price);
});

test("a price of spoken output alone is refused as one without its tokens", () => {
  const price = { model: "m", audio_output_micros_per_million: 4 };
  expect(priceChecker.faults(price)[0]?.path).toBe("input_micros_per_million");
});
