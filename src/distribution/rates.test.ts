import { expect, test } from "bun:test";
import { ChannelRates } from "./rates.ts";

const alone = () => 1;

test("so many requests a minute are taken, and the next when one's time has passed", () => {
  const rates = new ChannelRates({ requestsPerMinute: 3, tokensPerMinute: null }, alone);
  for (let at = 0; at < 3; at++) {
    expect(rates.waitMs(0)).toBe(0);
    rates.take(1e9, 0);
  }
  expect(rates.waitMs(0)).toBe(20_000);
  expect(rates.waitMs(19_999)).toBe(1);
  expect(rates.waitMs(20_000)).toBe(0);
});

test("tokens count when they are sent, by what they seem to be, and are put right later", () => {
  const rates = new ChannelRates({ requestsPerMinute: null, tokensPerMinute: 600 }, alone);
  rates.take(600, 0);
  expect(rates.waitMs(0)).toBeGreaterThan(0);
  rates.correct(-600);
  expect(rates.waitMs(0)).toBe(0);
  rates.take(500, 0);
  rates.correct(1300);
  expect(rates.waitMs(0)).toBeGreaterThan(119_000);
  expect(rates.waitMs(0)).toBeLessThanOrEqual(120_001);
});

test("each of several nodes has its share, and never nothing", () => {
  let nodes = 1;
  const rates = new ChannelRates({ requestsPerMinute: 4, tokensPerMinute: null }, () => nodes);
  const takeAll = (nowMs: number) => {
    let taken = 0;
    for (; rates.waitMs(nowMs) === 0; taken++) rates.take(0, nowMs);
    return taken;
  };
  expect(takeAll(0)).toBe(4);
  nodes = 3;
  expect(takeAll(600_000)).toBe(1);
  nodes = 9;
  expect(takeAll(1_200_000)).toBe(1);
});

test("new rules hold at once, and what was taken stays taken", () => {
  const rates = new ChannelRates({ requestsPerMinute: 2, tokensPerMinute: 100 }, alone);
  rates.take(0, 0);
  rates.take(0, 0);
  rates.update({ requestsPerMinute: 60, tokensPerMinute: null });
  expect(rates.waitMs(0)).toBe(1000);
  rates.correct(1e9);
  expect(rates.waitMs(1000)).toBe(0);
});
