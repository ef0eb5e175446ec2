import { expect, test } from "bun:test";
import { WallClock } from "./wall-clock.ts";

const at = (text: string) => Date.parse(text);

test("a reading that the wall skips is met where it leaps, one that it shows twice the first time", () => {
  const york = new WallClock("America/New_York");
  expect(york.firstAt(at("2026-03-08T02:30:00Z"))).toBe(at("2026-03-08T07:00:00Z"));
  expect(york.firstAt(at("2026-11-01T01:30:00Z"))).toBe(at("2026-11-01T05:30:00Z"));
  expect(york.readingAt(at("2026-11-18T18:00:00Z"))).toBe(at("2026-11-18T13:00:00Z"));
});

test("a day that a zone left out has no length", () => {
  const apia = new WallClock("Pacific/Apia");
  const [skipped, next] = [at("2011-12-30T00:00:00Z"), at("2011-12-31T00:00:00Z")];
  expect(apia.firstAt(skipped)).toBe(apia.firstAt(next));
  expect(apia.firstAt(next)).toBe(at("2011-12-30T10:00:00Z"));
});

test("half hours and quarters of an hour count", () => {
  expect(new WallClock("Asia/Kathmandu").firstAt(at("2026-01-01T00:00:00Z"))).toBe(
    at("2025-12-31T18:15:00Z"),
  );
  // Lord Howe leaps by half an hour.
  const howe = new WallClock("Australia/Lord_Howe");
  expect(howe.firstAt(at("2026-10-04T02:15:00Z"))).toBe(at("2026-10-03T15:30:00Z"));
});
