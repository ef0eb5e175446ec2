import { expect, test } from "bun:test";
import fc from "fast-check";
import { AssertionError } from "../assert.ts";
import { Bucket, perMinuteMax } from "./bucket.ts";

test("a bucket starts with one minute's worth and refills continuously", () => {
  const bucket = new Bucket(60, 0);
  bucket.take(60);
  expect(bucket.remaining).toBe(0);
  expect(bucket.waitForOneMs).toBe(1000);
  bucket.refill(999);
  expect(bucket.waitForOneMs).toBe(1);
  bucket.refill(1000);
  expect(bucket.waitForOneMs).toBe(0);
  expect(bucket.remaining).toBe(1);
});

test("a bucket never holds more than one minute's worth", () => {
  const bucket = new Bucket(60, 0);
  bucket.take(1);
  bucket.refill(10_000_000);
  expect(bucket.remaining).toBe(60);
  expect(bucket.isUntouched).toBe(true);
  expect(bucket.resetMs).toBe(0);
});

test("a debt refills before anything is there again", () => {
  const bucket = new Bucket(60, 0);
  bucket.take(120);
  expect(bucket.waitForAnyMs).toBe(60_001);
  expect(bucket.resetMs).toBe(120_000);
  bucket.refill(60_000);
  expect(bucket.waitForAnyMs).toBe(1);
  bucket.refill(60_001);
  expect(bucket.waitForAnyMs).toBe(0);
});

test("a clock that goes back refills nothing", () => {
  const bucket = new Bucket(60, 5000);
  bucket.take(60);
  bucket.refill(0);
  expect(bucket.remaining).toBe(0);
  expect(bucket.waitForOneMs).toBe(1000);
});

test("a new rule keeps the share that is left", () => {
  const bucket = new Bucket(100, 0);
  bucket.take(50);
  bucket.rescale(10);
  expect(bucket.remaining).toBe(5);
  bucket.rescale(1000);
  expect(bucket.remaining).toBe(500);
});

test("a new rule keeps a debt and changes how fast it is paid", () => {
  const bucket = new Bucket(60, 0);
  bucket.take(120);
  bucket.rescale(120);
  expect(bucket.waitForAnyMs).toBe(30_001);
});

test("a bucket of zero never lets anything through until its rule is raised", () => {
  const bucket = new Bucket(0, 0);
  bucket.refill(1_000_000);
  expect(bucket.waitForOneMs).toBe(Number.POSITIVE_INFINITY);
  expect(bucket.waitForAnyMs).toBe(Number.POSITIVE_INFINITY);
  expect(bucket.resetMs).toBe(0);
  bucket.rescale(10);
  expect(bucket.remaining).toBe(10);
});

test("a limit that is not a whole number is a bug", () => {
  for (const limit of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, perMinuteMax + 1]) {
    expect(() => new Bucket(limit, 0)).toThrow(AssertionError);
  }
});

test("waiting as long as the bucket says is enough, and a millisecond less is not", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: perMinuteMax }),
      fc.integer({ min: 0, max: 5000 }),
      fc.integer({ min: 0, max: 100_000 }),
      (perMinute, extra, startMs) => {
        const bucket = new Bucket(perMinute, startMs);
        bucket.take(perMinute + extra);
        const waitMs = bucket.waitForOneMs;
        bucket.refill(startMs + waitMs - 1);
        expect(bucket.waitForOneMs).toBe(1);
        bucket.refill(startMs + waitMs);
        expect(bucket.waitForOneMs).toBe(0);
      },
    ),
  );
});

test("refilling in many steps gives exactly what one step gives", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000_000 }),
      fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 50 }),
      (perMinute, stepsMs) => {
        const stepped = new Bucket(perMinute, 0);
        const leapt = new Bucket(perMinute, 0);
        stepped.take(perMinute);
        leapt.take(perMinute);
        let nowMs = 0;
        for (const stepMs of stepsMs) stepped.refill((nowMs += stepMs));
        leapt.refill(nowMs);
        expect(stepped.waitForOneMs).toBe(leapt.waitForOneMs);
        expect(stepped.resetMs).toBe(leapt.resetMs);
      },
    ),
  );
});
