import { expect, test } from "bun:test";
import { noPrice } from "../../catalogue/model.ts";
import { Prices } from "../../quota/prices.ts";
import { isSameModel } from "./model-names.ts";

const prices = new Prices("refuse");
const listed = { ...noPrice, inputMicrosPerMillion: 1, outputMicrosPerMillion: 1 };
const models = ["alpha-4", "alpha-4-mini", "alpha-4.5", "beta-flash", "gamma-latest", "gamma-9"];
prices.replace(new Map(models.map((name) => [name, listed])));

test.each([
  ["alpha-4", "alpha-4-2026-08-06"],
  ["alpha-4", "alpha-4-0613"],
  ["alpha-4-2026-08-06", "alpha-4"],
  ["alpha-4", "openai/alpha-4"],
  ["openai/alpha-4", "alpha-4-2026-08-06"],
  ["alpha-4:free", "alpha-4"],
  ["alpha-4", "us.vendor.alpha-4-20260806-v1:0"],
  ["alpha-4", "alpha-4@20260806"],
  ["beta-flash", "models/beta-flash-preview-05-20"],
  ["gamma-latest", "gamma-9"],
  ["somebody-s-own", "alpha-4"],
  ["alpha-4", "alpha-4-west-deployment"],
])("%s that answers as %s is the same model", (sent, answered) => {
  expect(isSameModel(prices, answered, [sent])).toBe(true);
});

test.each([
  ["alpha-4-mini", "alpha-4"],
  ["alpha-4", "alpha-4-mini"],
  ["alpha-4", "alpha-4.5"],
  ["alpha-4-mini", "alpha-4-2026-08-06"],
  ["beta-flash", "alpha-4"],
  ["alpha-4", "nobody-knows"],
])("%s that answers as %s is another one", (sent, answered) => {
  expect(isSameModel(prices, answered, [sent])).toBe(false);
});

test("the client's own name of it is as good as the vendor's", () => {
  expect(isSameModel(prices, "shown", ["alpha-4", "shown"])).toBe(true);
});
