// Steps of a chart by the clocks of a zone that leaps while it is drawn.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { SeriesAnswer } from "../../../src/admin/contract.ts";
import { gridOf, startsOf } from "./grid.ts";
import { dayOf, startOfDay } from "./zone.ts";

const before = process.env["TZ"];
beforeAll(() => {
  process.env["TZ"] = "America/Los_Angeles";
});
afterAll(() => {
  if (before === undefined) delete process.env["TZ"];
  else process.env["TZ"] = before;
});

const at = (text: string) => Date.parse(text) / 1000;
/** Days from Friday to Monday; clocks went back on Sunday. */
const answer = {
  from: at("2026-10-30T07:00:00Z"),
  to: at("2026-11-03T08:00:00Z"),
  step: 86_400,
  tz: -420,
  source: "slots",
  series: [{ name: "m", label: null, points: [{ at: at("2026-11-02T08:00:00Z"), micros: 7 }] }],
} as unknown as SeriesAnswer;

test("each day begins at its own midnight, and a sum stands on its day", () => {
  const midnights = ["2026-10-30T07", "2026-10-31T07", "2026-11-01T07", "2026-11-02T08"];
  expect(startsOf(answer)).toEqual(midnights.map((text) => at(`${text}:00:00Z`)));
  const [line] = gridOf(answer, ({ micros }) => micros).lines;
  expect(line?.values).toEqual([null, null, null, 7]);
  expect(startOfDay("2026-11-02")).toBe(at("2026-11-02T08:00:00Z"));
  expect(dayOf(at("2026-11-02T07:59:59Z"))).toBe("2026-11-01");
});
