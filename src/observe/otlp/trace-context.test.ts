import { expect, test } from "bun:test";
import { readTraceparent, readTracestate, writeTraceparent } from "./trace-context.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

test("a traceparent is read and written as the standard has it", () => {
  const read = readTraceparent(`00-${traceId}-${parentId}-01`);
  expect(read).toEqual({ traceId, parentId, isSampled: true });
  expect(readTraceparent(`00-${traceId}-${parentId}-02`)?.isSampled).toBe(false);
  expect(writeTraceparent(traceId, parentId, true)).toBe(`00-${traceId}-${parentId}-01`);
  expect(readTraceparent(`cc-${traceId}-${parentId}-01-more`)).not.toBeNull();
});

test.each([
  [null],
  [""],
  [`ff-${traceId}-${parentId}-01`],
  [`00-${traceId}-${parentId}-01-more`],
  [`00-${traceId.toUpperCase()}-${parentId}-01`],
  [`00-${"0".repeat(32)}-${parentId}-01`],
  [`00-${traceId}-${"0".repeat(16)}-01`],
  [`00-${traceId}-${parentId}`],
])("%p is no traceparent", (text) => {
  expect(readTraceparent(text)).toBeNull();
});

test("a tracestate goes on unless it is too long", () => {
  expect(readTracestate("a=1,b=2")).toBe("a=1,b=2");
  expect(readTracestate("")).toBeNull();
  expect(readTracestate("a".repeat(513))).toBeNull();
});
