import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { noPrice, type ListedPrice } from "../catalogue/model.ts";
import { AssertionError } from "../core/assert.ts";
import type { Usage } from "../formats/usage.ts";
import { snapshotPrice, textCost, textHold } from "./price.ts";

const once = 1_000_000;

const listed: ListedPrice = {
  ...noPrice,
  inputMicrosPerMillion: 3_000_000,
  outputMicrosPerMillion: 15_000_000,
  cacheReadMicrosPerMillion: 300_000,
  cacheWriteMicrosPerMillion: 3_750_000,
};

const nothingUsed: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

function costOf(price: ListedPrice, used: Partial<Usage>, multiplierPpm = once): number {
  return textCost(snapshotPrice(price, multiplierPpm), { ...nothingUsed, ...used });
}

describe("textCost", () => {
  test("charges input and output by their prices per million tokens", () => {
    expect(costOf(listed, { inputTokens: 1_000_000 })).toBe(3_000_000);
    expect(costOf(listed, { outputTokens: 2_000_000 })).toBe(30_000_000);
    expect(costOf(listed, { inputTokens: 1000, outputTokens: 100 })).toBe(4500);
  });

  test("charges cached parts of the input at their own price instead of the input's", () => {
    const used = { inputTokens: 1000, cacheReadTokens: 600, cacheWriteTokens: 300 };
    expect(costOf(listed, used)).toBe(Math.ceil((100 * 3e6 + 600 * 3e5 + 300 * 3.75e6) / 1e6));
  });

  test("charges cached parts like other input where no price is listed for them", () => {
    const plain = { ...listed, cacheReadMicrosPerMillion: null, cacheWriteMicrosPerMillion: null };
    const used = { inputTokens: 1000, cacheReadTokens: 600, cacheWriteTokens: 300 };
    expect(costOf(plain, used)).toBe(3000);
  });

  test("believes no more cached tokens than there are input tokens", () => {
    const used = { inputTokens: 100, cacheReadTokens: 80, cacheWriteTokens: 500 };
    expect(costOf(listed, used)).toBe(Math.ceil((80 * 3e5 + 20 * 3.75e6) / 1e6));
    expect(costOf(listed, { cacheReadTokens: 1_000_000 })).toBe(0);
  });

  test("does not charge reasoning again, which is a part of the output", () => {
    const used = { outputTokens: 1000, reasoningTokens: 900 };
    expect(costOf(listed, used)).toBe(costOf(listed, { outputTokens: 1000 }));
  });

  test("rounds up once for the whole reply", () => {
    const cheap = { ...noPrice, inputMicrosPerMillion: 1, outputMicrosPerMillion: 1 };
    expect(costOf(cheap, { inputTokens: 1, outputTokens: 1 })).toBe(1);
    expect(costOf(cheap, { inputTokens: 500_000, outputTokens: 500_000 })).toBe(1);
    expect(costOf(cheap, { inputTokens: 500_000, outputTokens: 500_001 })).toBe(2);
  });

  test("adds the price of the call, even to a reply without tokens", () => {
    expect(costOf({ ...listed, callMicros: 25 }, {})).toBe(25);
    expect(costOf({ ...listed, callMicros: 25 }, { inputTokens: 1000 })).toBe(3025);
  });

  test("refuses counts that are no counts", () => {
    for (const inputTokens of [-1, 1.5, Number.NaN, Infinity]) {
      expect(() => costOf(listed, { inputTokens })).toThrow(AssertionError);
    }
  });
});

describe("snapshotPrice", () => {
  test("has the group's multiplier in every part", () => {
    const used = { inputTokens: 1000, cacheReadTokens: 100, cacheWriteTokens: 200 };
    const all = { ...listed, callMicros: 40 };
    const full = costOf(all, { ...used, outputTokens: 50 });
    expect(costOf(all, { ...used, outputTokens: 50 }, once / 2)).toBe(Math.ceil(full / 2));
    expect(costOf(all, { ...used, outputTokens: 50 }, 3 * once)).toBe(full * 3);
    expect(costOf(all, { ...used, outputTokens: 50 }, 0)).toBe(0);
  });

  test("never rounds a price down to free", () => {
    const cheap = { ...noPrice, inputMicrosPerMillion: 1 };
    expect(snapshotPrice(cheap, 1).input).toBeGreaterThan(0);
  });

  test("writes its parts down, so that the reservation knows them", () => {
    const price = snapshotPrice({ ...listed, callMicros: 7 }, once);
    expect(price.text).toBe("3000000/15000000/300000/3750000/7");
  });
});

describe("textHold", () => {
  const tokens = fc.nat(2_000_000);
  const priceOf = fc.oneof(fc.nat(10), fc.nat(100_000_000));
  const anyPrice: fc.Arbitrary<ListedPrice> = fc.record({
    inputMicrosPerMillion: priceOf,
    outputMicrosPerMillion: priceOf,
    cacheReadMicrosPerMillion: fc.option(priceOf),
    cacheWriteMicrosPerMillion: fc.option(priceOf),
    cacheWriteHourMicrosPerMillion: fc.constant(null),
    audioInputMicrosPerMillion: fc.constant(null),
    audioOutputMicrosPerMillion: fc.constant(null),
    imageMicros: fc.constant(0),
    secondMicros: fc.constant(0),
    callMicros: fc.nat(1_000_000),
  });

  test("is never less than what a reply within the bound costs", () => {
    const anyUsage = fc.record({
      inputTokens: tokens,
      outputTokens: tokens,
      cacheReadTokens: tokens,
      cacheWriteTokens: tokens,
      reasoningTokens: tokens,
    });
    const spare = fc.record({ input: fc.nat(3), output: fc.nat(3) });
    fc.assert(
      fc.property(anyPrice, fc.nat(10_000_000), anyUsage, spare, (price, ppm, used, more) => {
        const snapshot = snapshotPrice(price, ppm);
        const hold = textHold(snapshot, {
          inputTokensMax: used.inputTokens + more.input,
          outputTokensMax: used.outputTokens + more.output,
        });
        expect(hold).toBeGreaterThanOrEqual(textCost(snapshot, used));
      }),
      { numRuns: 2000 },
    );
  });

  test("is no more than the dearest reply within the bound, so nobody is refused in vain", () => {
    fc.assert(
      fc.property(anyPrice, tokens, tokens, (price, inputTokens, outputTokens) => {
        const bound = { inputTokensMax: inputTokens, outputTokensMax: outputTokens };
        const hold: number = textHold(snapshotPrice(price, once), bound);
        const replies = [{}, { cacheReadTokens: inputTokens }, { cacheWriteTokens: inputTokens }];
        const costs = replies.map((used) => costOf(price, { inputTokens, outputTokens, ...used }));
        expect(hold).toBe(Math.max(...costs));
      }),
      { numRuns: 500 },
    );
  });
});
