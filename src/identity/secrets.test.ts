import { expect, test } from "bun:test";
import { systemRandom } from "../core/random.ts";
import { createRecoveryCode, createRedemptionCode, readSpelt } from "./secrets.ts";

test("codes that people type are groups of letters and digits that look like no others", () => {
  const group = "[0-9A-HJKMNP-TV-Z]";
  expect(createRedemptionCode(systemRandom)).toMatch(new RegExp(`^(${group}{5}-){4}${group}{5}$`));
  expect(createRecoveryCode(systemRandom)).toMatch(new RegExp(`^(${group}{4}-){3}${group}{4}$`));
  const many = Array.from({ length: 1000 }, () => createRecoveryCode(systemRandom));
  expect(new Set(many).size).toBe(1000);
});

test("they are read whatever their case, spaces and dashes, and letters taken for digits", () => {
  const code = createRedemptionCode(systemRandom);
  const plain = readSpelt(code);
  expect(plain).toBe(code.replaceAll("-", ""));
  expect(readSpelt(` ${code.toLowerCase().replaceAll("-", " ")}\n`)).toBe(plain);
  expect(readSpelt("oO-iIlL-01")).toBe("00111101");
  for (const text of ["", "-", "ABC!", "ÄBC", "U", "A".repeat(300)]) {
    expect(readSpelt(text)).toBeNull();
  }
});
