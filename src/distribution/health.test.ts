// For whom failures in a row take a channel out.
import { describe, expect, test } from "bun:test";
import type { AccountId } from "../core/ids.ts";
import { Health } from "./health.ts";

const rules = { failuresToEject: 5, ejectionMs: 1000, ejectionMsMax: 10_000 };
const one = "one" as AccountId;
const two = "two" as AccountId;

function failing(accounts: readonly (AccountId | null)[]): Health {
  const health = new Health(rules);
  for (const account of accounts) health.failed(0, account);
  return health;
}

describe("failures in a row", () => {
  test("of one account take the channel out for that account alone", () => {
    const health = failing([one, one, one, one, one]);
    expect([health.isOut(1, one), health.isOut(1, two), health.isOut(1)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test("of two accounts take it out for all", () => {
    const health = failing([one, one, one, one, two]);
    const third = "three" as AccountId;
    expect([one, two, third].map((account) => health.isOut(1, account))).toEqual([
      true,
      true,
      true,
    ]);
  });

  test("take it out for all as soon as a second account meets them", () => {
    const health = failing([one, one, one, one, one, two]);
    expect(health.isOut(1, "three" as AccountId)).toBe(true);
  });

  test("of nobody's take it out for all", () => {
    const health = failing([null, null, null, null, null]);
    expect(health.isOut(1, one)).toBe(true);
  });

  test("end with a success of anybody", () => {
    const health = failing([one, one, one, one, one]);
    health.succeeded();
    expect(health.isOut(1, one)).toBe(false);
    for (let at = 0; at < 4; at++) health.failed(2, two);
    expect(health.isOut(3, two)).toBe(false);
  });
});

test("after its time out one attempt of those it is out for is the probe", () => {
  const health = failing([one, one, one, one, one]);
  health.started(1001, two);
  expect(health.isOut(1001, one)).toBe(false);
  health.started(1001, one);
  expect([health.isOut(1001, one), health.isOut(1001, two)]).toEqual([true, false]);
  health.failed(1002, one);
  expect([health.isOut(2900, one), health.isOut(3100, one)]).toEqual([true, false]);
});
