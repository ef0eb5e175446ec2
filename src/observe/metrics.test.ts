import { expect, test } from "bun:test";
import { AssertionError } from "../core/assert.ts";
import { createMetrics } from "./metrics.ts";

test("a counter is written with its help, type and labels", () => {
  const metrics = createMetrics();
  const family = metrics.counter({
    name: "served_total",
    help: "What was served.",
    labels: [{ name: "dish", valuesMax: 10 }],
  });
  family.with("soup").add(3);
  family.with("stew").add();
  expect(metrics.render()).toBe(
    [
      "# HELP served_total What was served.",
      "# TYPE served_total counter",
      'served_total{dish="soup"} 3',
      'served_total{dish="stew"} 1',
      "",
    ].join("\n"),
  );
});

test("a histogram is written with cumulative buckets, sum and count", () => {
  const metrics = createMetrics();
  const labels = [{ name: "dish", valuesMax: 10 }];
  const family = metrics.histogram({ name: "wait_seconds", help: "Waiting.", labels }, [0.5, 2]);
  for (const seconds of [0.25, 0.5, 1, 4]) family.with("soup").observe(seconds);
  expect(metrics.render().split("\n").slice(1)).toEqual([
    "# TYPE wait_seconds histogram",
    'wait_seconds_bucket{dish="soup",le="0.5"} 2',
    'wait_seconds_bucket{dish="soup",le="2"} 3',
    'wait_seconds_bucket{dish="soup",le="+Inf"} 4',
    'wait_seconds_sum{dish="soup"} 5.75',
    'wait_seconds_count{dish="soup"} 4',
    "",
  ]);
});

test("a watched metric is read at each rendering", () => {
  const metrics = createMetrics();
  let guests = 0;
  metrics.watch("gauge", { name: "guests", help: "Guests." }, () => [{ value: ++guests }]);
  expect(metrics.render()).toContain("\nguests 1\n");
  expect(metrics.render()).toContain("\nguests 2\n");
});

test("a reading that fails does not take the others with it", () => {
  const metrics = createMetrics();
  metrics.watch("gauge", { name: "broken", help: "Broken." }, () => {
    throw new Error("no reading");
  });
  metrics.watch("gauge", { name: "whole", help: "Whole." }, () => [{ value: 7 }]);
  const text = metrics.render();
  expect(text).not.toMatch(/^broken/m);
  expect(text).toContain("\nwhole 7\n");
});

test("label values cannot break out of their line", () => {
  const metrics = createMetrics();
  const labels = [{ name: "dish", valuesMax: 10 }];
  const family = metrics.counter({ name: "served_total", help: "Served.", labels });
  family.with('a"} 1\nfaked 2\\').add();
  expect(metrics.render()).toContain('served_total{dish="a\\"} 1\\nfaked 2\\\\"} 1\n');
});

test("numbers that are not finite are written as Prometheus reads them", () => {
  const metrics = createMetrics();
  metrics.watch("gauge", { name: "odd", help: "Odd." }, () => [
    { labels: { at: "up" }, value: Number.POSITIVE_INFINITY },
    { labels: { at: "down" }, value: Number.NEGATIVE_INFINITY },
    { labels: { at: "none" }, value: Number.NaN },
  ]);
  expect(metrics.render()).toContain('odd{at="up"} +Inf\nodd{at="down"} -Inf\nodd{at="none"} NaN');
});

test("a name that is taken is a bug", () => {
  const metrics = createMetrics();
  metrics.counter({ name: "served_total", help: "Served." });
  expect(() => metrics.histogram({ name: "served_total", help: "Again." }, [1])).toThrow(
    AssertionError,
  );
});
