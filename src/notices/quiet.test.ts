import { expect, test } from "bun:test";
import { isQuiet } from "./quiet.ts";

const at = (time: string) => Date.parse(`2026-03-01T${time}:00Z`);

test("a quiet time over midnight holds on both sides of it and ends with its last minute", () => {
  const night = { from: "22:00", to: "07:00", zone: "UTC" };
  const times = ["21:59", "22:00", "23:59", "00:00", "06:59", "07:00", "12:00"];
  const quiet = times.filter((time) => isQuiet(night, at(time)));
  expect(quiet).toEqual(["22:00", "23:59", "00:00", "06:59"]);
});

test("a quiet time by day is in the zone that it names, and one of no length never is", () => {
  const noon = { from: "12:00", to: "14:00", zone: "Asia/Shanghai" };
  const times = ["03:59", "04:00", "05:59", "06:00"];
  expect(times.filter((time) => isQuiet(noon, at(time)))).toEqual(["04:00", "05:59"]);
  expect(isQuiet({ from: "08:00", to: "08:00", zone: "UTC" }, at("08:00"))).toBe(false);
});
