import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { AssertionError } from "./assert.ts";
import { cost, micros, microsMax, multiplyPrice, picos, zeroMicros, type Line } from "./money.ts";

const million = 1_000_000n;

const lines = fc.array(
  fc.record({
    units: fc.oneof(fc.nat(10_000_000), fc.maxSafeNat()),
    price: fc.oneof(fc.nat(100_000_000), fc.nat(2 ** 31 - 1)).map(picos),
  }),
  { maxLength: 6 },
);

function exactPicos(of: readonly Line[]): bigint {
  return of.reduce((sum, { units, price }) => sum + BigInt(units) * BigInt(price), 0n);
}

describe("cost", () => {
  test("never under-charges, and over-charges by less than one micro", () => {
    fc.assert(
      fc.property(lines, (bill) => {
        const exact = exactPicos(bill);
        fc.pre(exact <= BigInt(microsMax) * million);
        const charged = BigInt(cost(bill)) * million;
        expect(charged).toBeGreaterThanOrEqual(exact);
        expect(charged - exact).toBeLessThan(million);
      }),
      { numRuns: 1000 },
    );
  });

  test("is exact around every power of two up to the last safe integer", () => {
    for (let power = 20; power <= 53; power++) {
      for (let offset = -3; offset <= 3; offset++) {
        const units = Math.min(2 ** power + offset, Number.MAX_SAFE_INTEGER);
        const wanted = (BigInt(units) + million - 1n) / million;
        expect(BigInt(cost([{ units, price: picos(1) }]))).toBe(wanted);
      }
    }
  });

  test("rounds up once for all lines together", () => {
    const line = { units: 1, price: picos(1) };
    expect(cost([line])).toBe(micros(1));
    expect(cost([line, line, line])).toBe(micros(1));
    expect(cost([{ units: 1_000_001, price: picos(1) }])).toBe(micros(2));
  });

  test("of nothing is nothing", () => {
    expect(cost([])).toBe(zeroMicros);
    expect(cost([{ units: 0, price: picos(5) }])).toBe(zeroMicros);
  });

  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    "refuses %p units",
    (units) => {
      expect(() => cost([{ units, price: picos(1) }])).toThrow(AssertionError);
    },
  );

  test("stops at the most that is still an amount", () => {
    const line = { units: Number.MAX_SAFE_INTEGER, price: picos(Number.MAX_SAFE_INTEGER) };
    expect(cost([line])).toBe(microsMax);
    expect(cost([{ units: microsMax, price: picos(1_000_000) }])).toBe(microsMax);
    expect(cost([{ units: microsMax - 1, price: picos(1_000_000) }])).toBe(micros(microsMax - 1));
    expect(cost([{ units: microsMax + 1, price: picos(1_000_000) }])).toBe(microsMax);
  });
});

describe("multiplyPrice", () => {
  test("agrees with exact arithmetic, rounded up", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.nat(100_000_000), (price, multiplierPpm) => {
        const exact = BigInt(price) * BigInt(multiplierPpm);
        const wanted = (exact + million - 1n) / million;
        fc.pre(wanted <= BigInt(Number.MAX_SAFE_INTEGER));
        expect(BigInt(multiplyPrice(picos(price), multiplierPpm))).toBe(wanted);
      }),
      { numRuns: 1000 },
    );
  });

  test("by one changes nothing and by zero is free", () => {
    fc.assert(
      fc.property(fc.maxSafeNat().map(picos), (price) => {
        expect(multiplyPrice(price, 1_000_000)).toBe(price);
        expect(multiplyPrice(price, 0)).toBe(picos(0));
      }),
    );
  });

  test("never makes a price that costs something free", () => {
    expect(multiplyPrice(picos(1), 1)).toBe(picos(1));
  });

  test.each([-1, 0.5, Number.NaN, 2 ** 53])("refuses %p as a multiplier", (multiplierPpm) => {
    expect(() => multiplyPrice(picos(1), multiplierPpm)).toThrow(AssertionError);
  });

  test("refuses a product that no longer fits", () => {
    expect(() => multiplyPrice(picos(Number.MAX_SAFE_INTEGER), 2_000_000)).toThrow(AssertionError);
  });
});

describe("amounts", () => {
  test("are whole numbers; only a price may not be negative", () => {
    expect(micros(-5)).toBe(micros(-5));
    for (const wrong of [0.1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      expect(() => micros(wrong)).toThrow(AssertionError);
      expect(() => picos(wrong)).toThrow(AssertionError);
    }
    expect(() => picos(-1)).toThrow(AssertionError);
  });
});
