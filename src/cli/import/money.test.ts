import { expect, test } from "bun:test";
import fc from "fast-check";
import { dollarsOf, dollarsOfUnits, isBalanced, toFraction, toMicros } from "./money.ts";

test("500,000 units are a dollar, and a debt brings nothing", () => {
  expect(toMicros(500_000n, 500_000n)).toEqual({ micros: 1_000_000n, rest: 0n });
  expect(toMicros(1n, 500_000n)).toEqual({ micros: 2n, rest: 0n });
  expect(toMicros(-3n, 500_000n)).toEqual({ micros: 0n, rest: -3_000_000n });
});

test("whatever a unit is worth, micros and what is left over are all that there was", () => {
  const units = fc.array(fc.bigInt({ min: -(10n ** 15n), max: 10n ** 18n }));
  const unit = fc.bigInt({ min: 1n, max: 10n ** 12n });
  fc.assert(
    fc.property(units, unit, (all, unitsPerDollar) => {
      const converted = all.map((one) => toMicros(one, unitsPerDollar));
      const totalUnits = all.reduce((sum, one) => sum + one, 0n);
      const books = { leftUnits: 0n, unitsPerDollar, converted };
      expect(isBalanced({ ...books, totalUnits })).toBe(true);
      expect(isBalanced({ ...books, totalUnits: totalUnits + 1n })).toBe(false);
      for (const { micros, rest } of converted) {
        expect(micros >= 0n && rest < unitsPerDollar).toBe(true);
      }
    }),
  );
});

test("a decimal number is the fraction that its text says", () => {
  expect(toFraction(1.25)).toEqual({ top: 125n, bottom: 100n });
  expect(toFraction(2.5e-6)).toEqual({ top: 25n, bottom: 10_000_000n });
  expect(toFraction(1e21)).toEqual({ top: 10n ** 21n, bottom: 1n });
  expect(toFraction(37)).toEqual({ top: 37n, bottom: 1n });
});

test("sums are shown in dollars, however many units are one", () => {
  expect(dollarsOfUnits(500_000n, 500_000n)).toBe("$1.00");
  expect(dollarsOfUnits(23_780_549_450n, 3_000_000n)).toBe("$7926.849816667");
  expect(dollarsOfUnits(-3n, 3_000_000n)).toBe("-$0.000001");
  expect(dollarsOf(1n, 3n)).toBe("$0.000000333");
  expect(dollarsOfUnits(10n ** 18n, 500_000n)).toBe("$2000000000000.00");
});
