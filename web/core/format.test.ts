import { describe, expect, test } from "bun:test";
import {
  readDollars,
  readMoment,
  readNames,
  readWhole,
  writeDollars,
  writeMoment,
} from "./amounts.ts";
import {
  bytes,
  change,
  clock,
  compact,
  exactMoney,
  fullMoney,
  lately,
  millis,
  moment,
  money,
  percent,
  shortMoney,
} from "./format.ts";
import { ranges, spanOf } from "./time/span.ts";

describe("money", () => {
  test.each([
    [0, "$0.00"],
    [1, "$0.000001"],
    [12, "$0.000012"],
    [204, "$0.00020"],
    [9_996, "$0.0100"],
    [12_345, "$0.01"],
    [999_999, "$1.00"],
    [1_000_000, "$1.00"],
    [1_234_567_890, "$1,234.57"],
    [-2_500_000, "−$2.50"],
    [104_080_000_000_000, "$104M"],
  ])("of %p micros is %p as a sum", (micros, text) => {
    expect(money(micros)).toBe(text);
  });

  test("is exact to the micro in the ledger, and short on axes", () => {
    expect([0, 1, 1_500_000, -7].map(exactMoney)).toEqual([
      "$0.000000",
      "$0.000001",
      "$1.500000",
      "−$0.000007",
    ]);
    expect([0, 2_500_000, 500, 12_000_000_000].map(shortMoney)).toEqual([
      "$0",
      "$2.5",
      "$0.0005",
      "$12K",
    ]);
  });

  test("of a price has all its digits, and cents at least", () => {
    expect([0, 75_000, 1_100_000, 12_345_000_000, -1].map(fullMoney)).toEqual([
      "$0.00",
      "$0.075",
      "$1.10",
      "$12,345.00",
      "−$0.000001",
    ]);
  });

  test("that is typed becomes micros without a fraction in between, and back", () => {
    expect(["5", "0.1", "0.000001", " 2.50 "].map(readDollars)).toEqual([
      5_000_000, 100_000, 1, 2_500_000,
    ]);
    expect(["", "-1", "1e3", "1.0000001", "a"].map(readDollars)).toEqual([
      null,
      null,
      null,
      null,
      null,
    ]);
    expect([5_000_000, 100_000, 1].map(writeDollars)).toEqual(["5", "0.1", "0.000001"]);
  });
});

describe("numbers", () => {
  test("are said as people read them", () => {
    expect([806, 2830, 12_400, 72_000, null].map(millis)).toEqual([
      "806 ms",
      "2.83 s",
      "12.4 s",
      "1 min 12 s",
      "–",
    ]);
    expect([999.6, 9996, 59_960, 119_800].map(millis)).toEqual([
      "1.00 s",
      "10.0 s",
      "1 min 0 s",
      "2 min 0 s",
    ]);
    expect(compact(1060)).toBe("1.06K");
    expect([percent(1, 3), percent(0, 5), percent(0, 0)]).toEqual(["33.3 %", "0 %", "–"]);
    expect([percent(99_999, 100_000, 2), percent(9999, 10_000), percent(5, 5)]).toEqual([
      "99.99 %",
      "99.9 %",
      "100 %",
    ]);
    expect([percent(1, 100_000), percent(1, 1000)]).toEqual(["< 0.1 %", "0.1 %"]);
    expect([change(3, 2), change(1, 2), change(-1, -2), change(-3, -2), change(1, 0)]).toEqual([
      "+50.0 %",
      "−50.0 %",
      "+50.0 %",
      "−50.0 %",
      "–",
    ]);
    expect([512, 40_000, 2_500_000].map(bytes)).toEqual(["512 B", "40 KB", "2.5 MB"]);
  });

  test("of a moment has its day where that is not today", () => {
    const now = Date.now() / 1000;
    expect(lately(now)).toBe(clock(now, "second"));
    const before = now - 9 * 86_400;
    expect(lately(before)).toBe(`${moment(before, "day")} ${clock(before)}`);
  });

  test("that are typed are whole, nothing, or wrong", () => {
    expect(["60", "", "6o"].map(readWhole)).toEqual([60, null, undefined]);
    expect(readNames("a, b\n\n c ")).toEqual(["a", "b", "c"]);
    expect(readMoment(writeMoment(1_800_000_000))).toBe(1_800_000_000);
    expect(readMoment("never")).toBeNull();
  });
});

test("a range is whole steps, the last of which is under way, and the one before ends where it begins", () => {
  const nowMs = 1_800_000_123_000;
  const now = spanOf("24h", 0, nowMs);
  expect(now.to - now.from).toBe(ranges["24h"].seconds);
  expect(now.to % now.step).toBe(0);
  expect(now.to * 1000).toBeGreaterThan(nowMs);
  expect(spanOf("24h", 1, nowMs).to).toBe(now.from);
});
