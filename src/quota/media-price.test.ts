import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { noPrice, type ListedPrice } from "../catalogue/model.ts";
import { AssertionError } from "../core/assert.ts";
import { GatewayError } from "../core/errors.ts";
import { micros, microsMax } from "../core/money.ts";
import { snapshotMedia, videoCost, type MediaFacts, type MediaPrice } from "./media-price.ts";
import { Prices } from "./prices.ts";

const once = 1_000_000;
const noFacts: MediaFacts = { size: null, quality: null, resolution: null, tier: null };
const amounts = { imageMicros: null, secondMicros: null, callMicros: null };

const listed: ListedPrice = {
  ...noPrice,
  secondMicros: 100_000,
  rules: [
    { ...amounts, resolution: "1080p", tier: "pro", secondMicros: 400_000 },
    { ...amounts, resolution: "1080P", secondMicros: 300_000 },
    { ...amounts, size: "1792x1024", callMicros: 5 },
    { ...amounts, quality: "high", imageMicros: 7 },
  ],
};

function priceOf(facts: Partial<MediaFacts>, price = listed, multiplierPpm = once) {
  return snapshotMedia(price, { ...noFacts, ...facts }, { kind: "video", multiplierPpm });
}

function perSecond(secondMicros: number, callMicros = 0): MediaPrice {
  return {
    secondMicros: micros(secondMicros),
    imageMicros: micros(0),
    callMicros: micros(callMicros),
  };
}

describe("a price of media", () => {
  test("is the plain one where no rule fits", () => {
    expect(priceOf({})?.secondMicros).toBe(micros(100_000));
    expect(priceOf({ resolution: "720p", tier: "pro" })?.secondMicros).toBe(micros(100_000));
  });

  test("is that of the first rule all of whose conditions hold, in any letters", () => {
    expect(priceOf({ resolution: "1080P", tier: "Pro" })?.secondMicros).toBe(micros(400_000));
    expect(priceOf({ resolution: "1080p", tier: "normal" })?.secondMicros).toBe(micros(300_000));
    expect(priceOf({ resolution: "1080p" })?.secondMicros).toBe(micros(300_000));
  });

  test("keeps the plain amounts that its rule does not name", () => {
    expect(priceOf({ size: "1792x1024" })).toEqual(perSecond(100_000, 5));
  });

  test("has the group's multiplier in it, rounded up", () => {
    expect(priceOf({}, { ...listed, secondMicros: 3 }, 1_500_000)?.secondMicros).toBe(micros(5));
    expect(priceOf({}, listed, 0)?.secondMicros).toBe(micros(0));
  });

  test("is none where nothing speaks of this kind", () => {
    const ofText: ListedPrice = { ...noPrice, inputMicrosPerMillion: 1 };
    const ofImages: ListedPrice = { ...noPrice, imageMicros: 1 };
    const ofCalls: ListedPrice = { ...noPrice, callMicros: 9 };
    expect(priceOf({}, ofText)).toBeNull();
    expect(priceOf({}, ofImages)).toBeNull();
    expect(priceOf({}, ofCalls)).toEqual(perSecond(0, 9));
    const images = { kind: "image", multiplierPpm: once } as const;
    expect(snapshotMedia(ofImages, noFacts, images)?.imageMicros).toBe(micros(1));
    expect(snapshotMedia({ ...noPrice, secondMicros: 1 }, noFacts, images)).toBeNull();
  });

  test("that is free is a price", () => {
    expect(priceOf({}, { ...noPrice, secondMicros: 0 })).toEqual(perSecond(0));
  });

  test("must be there, unless what has none is free", () => {
    const asked = { kind: "video", multiplierPpm: once } as const;
    expect(() => new Prices("refuse").media("nobody's", noFacts, asked)).toThrow(GatewayError);
    expect(new Prices("free").media("nobody's", noFacts, asked)).toEqual(perSecond(0));
    const own = new Prices("refuse");
    own.replace(new Map([["mine", listed]]));
    expect(own.media("mine", noFacts, asked)).toEqual(perSecond(100_000));
  });
});

describe("what a video costs", () => {
  test("is its seconds, and once its call", () => {
    expect(videoCost(perSecond(100_000, 7), 8)).toBe(micros(800_007));
    expect(videoCost(perSecond(100_000, 7), 0)).toBe(micros(7));
  });

  test("counts milliseconds as they are, and a part of a micro as a whole one", () => {
    expect(videoCost(perSecond(1000), 5.042)).toBe(micros(5042));
    expect(videoCost(perSecond(1000), 1.1)).toBe(micros(1100));
    expect(videoCost(perSecond(1), 0.001)).toBe(micros(1));
    expect(videoCost(perSecond(1), 4.5)).toBe(micros(5));
  });

  test("is never more than an amount can be", () => {
    expect(videoCost(perSecond(microsMax), 60)).toBe(microsMax);
    expect(videoCost(perSecond(1), 1e300)).toBe(microsMax);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])(
    "is not to be had for %p seconds",
    (bad) => {
      expect(() => videoCost(perSecond(1), bad)).toThrow(AssertionError);
    },
  );

  test("is a whole amount that grows with the length, and never less than the exact one", () => {
    const price = fc.integer({ min: 0, max: 1_000_000_000 });
    const length = fc.integer({ min: 0, max: 100_000_000 });
    fc.assert(
      fc.property(price, price, length, length, (second, call, one, other) => {
        const costs = [one, other].map((millis) =>
          videoCost(perSecond(second, call), millis / 1000),
        );
        for (const [at, millis] of [one, other].entries()) {
          const exact = BigInt(second) * BigInt(millis);
          const ceiling = (exact + 999n) / 1000n + BigInt(call);
          const most = BigInt(microsMax);
          expect(BigInt(costs[at] ?? -1)).toBe(ceiling > most ? most : ceiling);
        }
        if (one <= other) expect(costs[0]).toBeLessThanOrEqual(costs[1] ?? -1);
      }),
    );
  });
});
