import { expect, test } from "bun:test";
import { boundsOf, histogramColumns, percentilesOf, timesOf } from "./histogram.ts";

test("each histogram has sixteen steps in eight columns, and one ends where the next begins", () => {
  expect(new Set(histogramColumns).size).toBe(16);
  expect(boundsOf("first", 0)).toEqual({ low: 0, middle: 20, high: 40 });
  expect(boundsOf("first", 1)).toEqual({ low: 40, middle: 70, high: 100 });
  expect(boundsOf("total", 7)).toEqual({ low: 45_000, middle: 120_000, high: null });
});

test("percentiles lie within the step that has them", () => {
  expect(percentilesOf("total", [])).toBeNull();
  // Ninety of 100 to 200 ms, ten of 2.5 to 4 s.
  const counts = Array.from({ length: 16 }, (_, step) => (step === 3 ? 90 : step === 9 ? 10 : 0));
  expect(percentilesOf("total", counts)).toEqual({ p50: 156, p95: 3250, p99: 3850 });
  const slowest = Array.from({ length: 16 }, (_, step) => (step === 15 ? 3 : 0));
  expect(percentilesOf("first", slowest)).toEqual({ p50: 20_000, p95: 20_000, p99: 20_000 });
});

test("no half of the requests began after half of them had ended", () => {
  // Four requests of 6.1 s: the steps are 4 to 8 and 4 to 7 seconds.
  const step = (at: number) => Array<number>(16).fill(0).with(at, 4);
  const { first_byte: begun, total_time: ended } = timesOf({ first: step(13), total: step(10) });
  expect(ended).toEqual({ p50: 5500, p95: 6850, p99: 6970 });
  expect(begun).toEqual({ p50: 5500, p95: 6850, p99: 6970 });
  // Requests whose beginning is not known make them two sets, of which nothing follows.
  const apart = timesOf({ first: step(13), total: step(10).map((count) => 2 * count) });
  expect(apart.first_byte).toEqual({ p50: 6000, p95: 7800, p99: 7960 });
});
