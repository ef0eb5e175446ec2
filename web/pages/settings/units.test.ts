import { expect, test } from "bun:test";
import { valueOf } from "./draft.ts";
import { readInUnit, writeInUnit } from "./units.ts";

test.each([
  ["accounts.starting_credit_micros", "$12.50", 12_500_000],
  ["sessions.idle_seconds", "14 d", 1_209_600],
  ["tasks.poll_first_ms", "1.5min", 90_000],
  ["media.file_bytes_max", "2 GiB", 2_147_483_648],
  ["media.file_bytes_max", "512mib", 536_870_912],
  // Not a whole number of the setting's unit, another setting's unit, and no unit at all.
  ["sessions.idle_seconds", "0.0001 s", null],
  ["sessions.idle_seconds", "$5", null],
  ["retention.log_days", "2 d", null],
  ["sessions.idle_seconds", "90", null],
])("of %s, %p is %p", (name, typed, number) => {
  expect(readInUnit(name, typed)).toBe(number);
});

test.each([
  ["accounts.starting_credit_micros", 1_000_000, "$1.00"],
  ["sessions.idle_seconds", 1_209_600, "14 d"],
  ["tasks.poll_first_ms", 90_000, "90 s"],
  ["media.file_bytes_max", 2_147_483_648, "2 GiB"],
  ["sessions.idle_seconds", 45, null],
  ["sessions.idle_seconds", 0, null],
  ["retention.log_days", 30, null],
])("%s of %p is told as %p", (name, value, text) => {
  expect(writeInUnit(name, value)).toBe(text);
});

test("a setting is sent in its own unit, whichever it was typed in", () => {
  const schema = { type: "integer" };
  expect(valueOf(schema, "14 d", "sessions.idle_seconds")).toBe(1_209_600);
  expect(valueOf(schema, "1209600", "sessions.idle_seconds")).toBe(1_209_600);
  expect(valueOf(schema, "two weeks", "sessions.idle_seconds")).toBe("two weeks");
  const inner = { type: "object", properties: { idle_seconds: schema } };
  expect(valueOf(inner, { idle_seconds: "2 h" }, "sessions")).toEqual({ idle_seconds: 7200 });
});
