import { expect, test } from "bun:test";
import { isSameView } from "./view.ts";

const day = (from: number, more = "") => `/api/series?from=${from}&to=${from + 86_400}${more}`;

test("a window that moved on with the clock, and another page, are the same view", () => {
  expect(isSameView(day(0), day(0))).toBe(true);
  expect(isSameView(day(0), day(3600))).toBe(true);
  expect(isSameView("/api/user?q=a", "/api/user?q=a&p=2")).toBe(true);
  expect(isSameView("/api/log?from=60&model=a", "/api/log?from=120&model=a")).toBe(true);
});

test("another filter, place, length or time is another view", () => {
  expect(isSameView(day(0, "&account=ann"), day(0, "&account=bob"))).toBe(false);
  expect(isSameView(day(0, "&account=ann"), day(0))).toBe(false);
  expect(isSameView("/api/log?from=0", "/api/log/self?from=0")).toBe(false);
  expect(isSameView("/api/series?from=0&to=86400", "/api/series?from=0&to=604800")).toBe(false);
  expect(isSameView("/api/log?from=0", "/api/log?from=86400")).toBe(false);
  expect(isSameView("/api/log?from=0", "/api/log")).toBe(false);
  expect(isSameView(day(0), day(86_400))).toBe(false);
  expect(isSameView(null, "/api/log")).toBe(false);
});
