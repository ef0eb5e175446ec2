// Durations of LiteLLM's budgets.
import { expect, test } from "bun:test";
import { rhythmOf } from "./rhythm.ts";

test("durations become periods by the calendar, or hours, or nothing", () => {
  expect(["1d", "24h", "7d", "30d", "1mo"].map((text) => rhythmOf(text)?.period)).toEqual([
    "day",
    "day",
    "week",
    "month",
    "month",
  ]);
  expect(rhythmOf("5h")).toEqual({ period: "hours", hours: 5 });
  expect(rhythmOf("90d")).toEqual({ period: "hours", hours: 2160 });
  for (const text of ["30s", "10m", "0d", "400d", "", "soon"]) expect(rhythmOf(text)).toBeNull();
});
