import { expect, test } from "bun:test";
import { noPrice } from "../catalogue/model.ts";
import { micros } from "../core/money.ts";
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
  expect(priced.filter((model) => prices.isVideoPriced([model]))).toEqual([
    "by-second",
    "by-call",
    "videoB-2",
  ]);
  expect(new Prices("free").isVideoPriced(["unknown"])).toBe(true);
});

test("V-N1 of two names the operator's price counts first, the client's name before the model's", () => {
  const prices = new Prices("refuse");
  const facts = { size: null, quality: null, resolution: null, tier: null };
  const price = () =>
    prices.media(["a-vendors-name", "videoB-2"], facts, { kind: "video", multiplierPpm: 1_000_000 })
      .secondMicros;
  const own = (model: string, secondMicros: number) =>
    [model, { ...noPrice, secondMicros }] as const;
  expect(price()).toBe(micros(100_000));
  prices.replace(new Map([own("videoB-2", 7)]));
  expect(price()).toBe(micros(7));
  prices.replace(new Map([own("videoB-2", 7), own("a-vendors-name", 9)]));
  expect(price()).toBe(micros(9));
  expect(prices.isVideoPriced(["a-vendors-name", "videoB-2"])).toBe(true);
  expect(new Prices("refuse").isVideoPriced(["a-vendors-name", "videoB-2"])).toBe(true);
});
