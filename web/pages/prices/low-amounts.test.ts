import { expect, test } from "bun:test";
import { lowAmountsOf } from "./low-amounts.ts";

const none = {
  input_micros_per_million: null,
  output_micros_per_million: null,
  image_micros: null,
  second_micros: null,
  call_micros: null,
};
const known = {
  lowest: { ...none, input_micros_per_million: 1_100_000, output_micros_per_million: 4_400_000 },
  lowest_of_all: { ...none, input_micros_per_million: 20_000, call_micros: 500 },
};

test("a price per thousand tokens, typed as one per million, is low in both amounts", () => {
  const price = {
    model: "o4-mini",
    input_micros_per_million: 1100,
    output_micros_per_million: 4400,
  };
  expect(lowAmountsOf(price, known)).toEqual([
    { name: "input_micros_per_million", micros: 1100, lowestMicros: 1_100_000 },
    { name: "output_micros_per_million", micros: 4400, lowestMicros: 4_400_000 },
  ]);
});

test("the lowest known price itself is not low, and neither is an amount nobody has", () => {
  const price = {
    model: "o4-mini",
    input_micros_per_million: 1_100_000,
    output_micros_per_million: 4_400_000,
    image_micros: 1,
  };
  expect(lowAmountsOf(price, known)).toEqual([]);
});

test("an amount that the model's own prices lack is held against those of all models", () => {
  expect(lowAmountsOf({ model: "m", call_micros: 499 }, known)).toEqual([
    { name: "call_micros", micros: 499, lowestMicros: 500 },
  ]);
});
