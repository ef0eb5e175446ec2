// Verdicts on a key that may be innocent.
import { describe, expect, test } from "bun:test";
import type { AccountId } from "../core/ids.ts";
import { Doubt } from "./doubt.ts";

const [one, two, three] = ["a", "b", "c"].map((id) => id as AccountId) as [
  AccountId,
  AccountId,
  AccountId,
];
const minuteMs = 60_000;

describe("several accounts", () => {
  test("confirm what one account alone never does", () => {
    const doubt = new Doubt();
    for (let at = 0; at < 100; at++) expect(doubt.isMetBySeveral(one, at)).toBe(false);
    expect(doubt.isMetBySeveral(two, 100)).toBe(false);
    expect(doubt.isMetBySeveral(three, 101)).toBe(true);
  });

  test("begin anew when the key has served somebody", () => {
    const doubt = new Doubt();
    doubt.isMetBySeveral(one, 0);
    doubt.isMetBySeveral(two, 0);
    doubt.clear();
    expect([doubt.isMetBySeveral(three, 1), doubt.clears]).toEqual([false, 1]);
  });

  test("must meet it within some minutes", () => {
    const doubt = new Doubt();
    doubt.isMetBySeveral(one, 0);
    doubt.isMetBySeveral(two, minuteMs);
    expect(doubt.isMetBySeveral(three, 6 * minuteMs)).toBe(false);
  });
});

test("a key is checked once at a time, and not again right after", () => {
  const doubt = new Doubt();
  expect([doubt.beginCheck(0), doubt.beginCheck(minuteMs)]).toEqual([true, false]);
  doubt.endCheck(true);
  expect([doubt.beginCheck(minuteMs / 4), doubt.beginCheck(minuteMs)]).toEqual([false, true]);
  doubt.endCheck(false);
  expect(doubt.isCheckable).toBe(false);
});
