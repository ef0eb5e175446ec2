import { expect, test } from "bun:test";
import type { SeriesAnswer } from "../../../src/admin/contract.ts";
import { hoursOf } from "./hours.ts";

const at = (text: string) => Date.parse(text) / 1000;
const answerOf = (tz: number, ...starts: string[]) =>
  ({
    tz,
    series: [{ points: starts.map((text) => ({ at: at(text), micros: 5 })) }],
  }) as SeriesAnswer;

test("an hour falls on its weekday, Monday first, in the zone of the answer", () => {
  const monday = "2026-11-16T22:00:00Z";
  const utc = hoursOf(answerOf(0, monday, "2026-11-09T22:00:00Z"), ({ micros }) => micros);
  expect(utc.cells[0]?.[22]).toBe(10);
  expect(utc.most).toBe(10);
  const east = hoursOf(answerOf(480, monday), ({ micros }) => micros);
  expect(east.cells[1]?.[6]).toBe(5);
});
