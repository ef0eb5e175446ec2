import { expect, test } from "bun:test";
import { noPrice } from "../catalogue/model.ts";
import { Prices } from "./prices.ts";

test("a video is priced by the second or by the call, in the catalogue or by the operator", () => {
  const prices = new Prices("refuse");
  prices.replace(
    new Map([
      ["by-second", { ...noPrice, secondMicros: 0 }],
      ["by-call", { ...noPrice, callMicros: 5 }],
      ["by-image", { ...noPrice, imageMicros: 5 }],
      ["by-token", { ...noPrice, inputMicrosPerMillion: 5, outputMicrosPerMillion: 5 }],
    ]),
  );
  const priced = ["by-second", "by-call", "videoB-2", "by-image", "by-token", "chatA", "unknown"];
  expect(priced.filter((model) => prices.isVideoPriced(model))).toEqual([
    "by-second",
    "by-call",
    "videoB-2",
  ]);
  expect(new Prices("free").isVideoPriced("unknown")).toBe(true);
});
