import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { noPrice, type ListedPrice } from "../catalogue/model.ts";
import { AssertionError } from "../core/assert.ts";
import { GatewayError } from "../core/errors.ts";
import { micros, microsMax } from "../core/money.ts";
import { boundImageTokens, type ImageFacts } from "./image-tokens.ts";
import {
  imageCost,
  imageHold,
  snapshotMedia,
  videoCost,
  type MediaFacts,
  type MediaPrice,
} from "./media-price.ts";
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
    expect(() => new Prices("refuse").media(["nobody's"], noFacts, asked)).toThrow(GatewayError);
    expect(new Prices("free").media(["nobody's"], noFacts, asked)).toEqual(perSecond(0));
    const own = new Prices("refuse");
    own.replace(new Map([["mine", listed]]));
    const list = perSecond(100_000);
    expect(own.media(["mine"], noFacts, asked)).toEqual({ ...list, list });
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

const facts: ImageFacts = {
  promptBytes: 100,
  references: 0,
  pixels: 1024 * 1024,
  quality: "high",
  partialImages: 0,
};

describe("the most tokens of an image", () => {
  test("are those of the documented table", () => {
    expect(boundImageTokens(facts)).toEqual({ inputTokens: 228, outputTokens: 8256 });
    const small = { ...facts, quality: "low" };
    expect(boundImageTokens(small)).toEqual({ inputTokens: 228, outputTokens: 4368 });
    expect(boundImageTokens({ ...facts, references: 3 }).inputTokens).toBe(228 + 3 * 8192);
    expect(boundImageTokens({ ...facts, partialImages: 3 }).outputTokens).toBe(8256 + 300);
    expect(boundImageTokens({ ...facts, pixels: 1024 * 1024 + 1 }).outputTokens).toBe(12_416);
  });

  test("are the most of all where nothing is said, or a word is not known", () => {
    const open = boundImageTokens({ ...facts, pixels: null, quality: null });
    expect(open.outputTokens).toBe(8 * 16_640 + 4096);
    for (const quality of ["auto", "max", "splendid"]) {
      expect(boundImageTokens({ ...facts, pixels: null, quality })).toEqual(open);
    }
    const qualities = ["low", "standard", "medium", "hd", "high", "xhigh"];
    for (const quality of qualities) {
      const { outputTokens } = boundImageTokens({ ...facts, pixels: 3840 * 2160, quality });
      expect(outputTokens).toBeLessThan(open.outputTokens);
    }
  });
});

describe("what images cost", () => {
  const most = { inputTokens: 1000, outputTokens: 5000 };
  const counted = { inputTokens: 50, outputTokens: 1056 };
  const images = { kind: "image", multiplierPpm: once } as const;
  const tokenAmounts = { inputMicrosPerMillion: 5_000_000, outputMicrosPerMillion: 40_000_000 };

  function ofImages(price: Partial<ListedPrice>, asked: Partial<MediaFacts> = {}): MediaPrice {
    const snapshot = snapshotMedia({ ...noPrice, ...price }, { ...noFacts, ...asked }, images);
    if (!snapshot) throw new Error("there is no price");
    return snapshot;
  }

  test("is by the image, as its size and quality have it, and once its call", () => {
    const rules = [
      { ...amounts, size: "3840x2160", quality: "high", imageMicros: 90_000 },
      { ...amounts, resolution: "4k", imageMicros: 60_000 },
    ];
    const price = { imageMicros: 42_000, callMicros: 7, rules };
    const asked = { images: 3, most };
    expect(imageCost(ofImages(price), asked, null)).toBe(micros(126_007));
    const large = { size: "3840x2160", resolution: "4k" };
    expect(imageCost(ofImages(price, large), asked, null)).toBe(micros(180_007));
    const fine = { ...large, quality: "high" };
    expect(imageCost(ofImages(price, fine), asked, null)).toBe(micros(270_007));
  });

  test("is nothing for none, and less for fewer", () => {
    const price = ofImages({ imageMicros: 42_000, callMicros: 7, ...tokenAmounts });
    expect(imageCost(price, { images: 0, most }, null)).toBe(micros(0));
    expect(imageCost(price, { images: 0, most }, counted)).toBe(micros(0));
    expect(imageCost(price, { images: 1, most }, null)).toBe(micros(42_007));
  });

  test("is by the vendor's count where tokens have a price and the vendor counts", () => {
    const both = ofImages({ imageMicros: 42_000, callMicros: 7, ...tokenAmounts });
    expect(imageCost(both, { images: 2, most }, counted)).toBe(micros(250 + 42_240 + 7));
    expect(imageCost(both, { images: 2, most }, null)).toBe(micros(84_007));
    const plain = ofImages({ imageMicros: 42_000 });
    expect(imageCost(plain, { images: 2, most }, counted)).toBe(micros(84_000));
  });

  test("is the most it can be where only tokens have a price and nobody counts", () => {
    const price = ofImages(tokenAmounts);
    expect(imageCost(price, { images: 2, most }, null)).toBe(micros(2 * (5000 + 200_000)));
    expect(snapshotMedia({ ...noPrice, inputMicrosPerMillion: 1 }, noFacts, images)).toBeNull();
  });

  test("has the group's multiplier in its tokens", () => {
    const listedTokens = { ...noPrice, ...tokenAmounts };
    const price = snapshotMedia(listedTokens, noFacts, { kind: "image", multiplierPpm: 1_500_000 });
    expect(price && imageCost(price, { images: 1, most }, counted)).toBe(micros(375 + 63_360));
  });

  test("survives being written and read again, as a task's price is", () => {
    const price = ofImages({ imageMicros: 1, ...tokenAmounts });
    expect(JSON.parse(JSON.stringify(price))).toEqual(price);
  });

  test("is never more than what is held, within the table's bounds", () => {
    const amount = fc.option(fc.integer({ min: 0, max: 1_000_000_000 }), { nil: null });
    const tokens = fc.integer({ min: 0, max: 10_000_000 });
    const price = fc
      .record({
        imageMicros: amount,
        callMicros: amount,
        inputMicrosPerMillion: amount,
        outputMicrosPerMillion: amount,
      })
      .map((one) => snapshotMedia({ ...noPrice, ...one }, noFacts, images))
      .filter((one) => one !== null);
    const count = fc.integer({ min: 1, max: 10 });
    fc.assert(
      fc.property(price, fc.tuple(count, count), fc.tuple(tokens, tokens), (one, counts, each) => {
        const [asked, came] = counts;
        const [input, output] = each;
        const bound = { inputTokens: input, outputTokens: output };
        const hold = imageHold(one, { images: asked, most: bound });
        const delivered = Math.min(asked, came);
        const used = { inputTokens: input * delivered, outputTokens: output * delivered };
        for (const usage of [null, used, { inputTokens: 0, outputTokens: 0 }]) {
          const charged = imageCost(one, { images: delivered, most: bound }, usage);
          expect(Number.isSafeInteger(charged)).toBe(true);
          expect(charged).toBeLessThanOrEqual(hold);
        }
      }),
    );
  });

  test("is known to be priced when any of it is", () => {
    const prices = new Prices("refuse");
    const rows = {
      image: { imageMicros: 0 },
      call: { callMicros: 1 },
      tokens: tokenAmounts,
      half: { inputMicrosPerMillion: 1 },
    };
    const own = Object.entries(rows).map(([name, row]) => [name, { ...noPrice, ...row }] as const);
    prices.replace(new Map(own));
    const priced = [...Object.keys(rows), "nobody's", "imageA-2"].filter((name) =>
      prices.isImagePriced([name]),
    );
    expect(priced).toEqual(["image", "call", "tokens", "imageA-2"]);
    expect(new Prices("free").isImagePriced(["nobody's"])).toBe(true);
  });
});
