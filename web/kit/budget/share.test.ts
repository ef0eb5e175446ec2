import { expect, test } from "bun:test";
import { isExhausted, usedShareOf } from "./share.ts";

function windowOf(spent_micros: number, held_micros = 0, limit_micros = 100) {
  return { limit_micros, spent_micros, held_micros };
}

test("a budget is exhausted once what is spent and held reaches its limit", () => {
  expect(isExhausted({ status: "enabled", now: windowOf(99) })).toBe(false);
  expect(isExhausted({ status: "enabled", now: windowOf(60, 40) })).toBe(true);
  expect(isExhausted({ status: "enabled", now: windowOf(0, 0, 0) })).toBe(true);
  expect(isExhausted({ status: "disabled", now: windowOf(100) })).toBe(false);
  expect(isExhausted({ status: "enabled", now: null })).toBe(false);
});

test("whoever may not see the amounts is told the share", () => {
  const hidden = { spent_micros: null, held_micros: null, limit_micros: null };
  expect(usedShareOf({ ...hidden, used_share: 0.4 })).toBe(0.4);
});
