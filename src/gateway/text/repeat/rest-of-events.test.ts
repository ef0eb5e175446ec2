import { expect, test } from "bun:test";
import fc from "fast-check";
import type { ByteSource } from "../../answer.ts";
import { RestOfEvents } from "./rest-of-events.ts";

function sourceOf(pieces: readonly string[]): ByteSource {
  const left = pieces.map((piece) => Buffer.from(piece));
  return { take: () => left.shift() ?? null, cancel() {}, interrupt() {} };
}

function restOf(pieces: readonly string[], count: number): string {
  const source = new RestOfEvents(sourceOf(pieces), count);
  const rest: Uint8Array[] = [];
  for (let piece = source.take(() => {}); piece; piece = source.take(() => {})) rest.push(piece);
  return Buffer.concat(rest).toString();
}

test("T21 so many events are left out, and comments are none", () => {
  const events = ["event: a\ndata: 1\n\n", ": quiet\n\ndata: 2\ndata: more\n\n", "data: 3\n\n"];
  expect([0, 1, 2, 3, 4].map((count) => restOf(events, count))).toEqual(
    [0, 1, 2, 3, 3].map((count) => events.slice(count).join("")),
  );
});

test.each(["\n", "\r\n", "\r"])("T21 wherever it is cut, and with line ends of %p", (end) => {
  const event = fc
    .array(fc.constantFrom("data: d", "event: e", ": d", "id: 7"), { maxLength: 3 })
    .map((lines) => ["data: x", ...lines].map((line) => line + end).join("") + end);
  const cases = fc.record({
    events: fc.array(event, { maxLength: 6 }),
    count: fc.nat(6),
    size: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(cases, ({ events, count, size }) => {
      const pieces = events.join("").match(new RegExp(`[^]{1,${size}}`, "g")) ?? [];
      const rest = restOf(pieces, count);
      // The second half of a line's end may stand before the rest, where it ends nothing.
      expect(rest.replace(/^\n/, "")).toBe(events.slice(count).join(""));
    }),
  );
});
