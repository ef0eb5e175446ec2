import { expect, test } from "bun:test";
import type { SeriesAnswer } from "../../../src/admin/contract.ts";
import { hoursOf } from "./hours.ts";

const at = (text: string) => Date.parse(text) / 1000;
const answerOf = (...starts: string[]) =>
  ({
    series: [{ points: starts.map((text) => ({ at: at(text), micros: 5 })) }],
  }) as SeriesAnswer;

const spend = ({ micros }: { micros: number }) => micros;

test("an hour falls on its weekday, Monday first, by the clocks of the zone", () => {
  const monday = "2026-11-16T22:00:00Z";
  const utc = hoursOf(answerOf(monday, "2026-11-09T22:00:00Z"), spend, () => 0);
  expect(utc.cells[0]?.[22]).toBe(10);
  expect(utc.most).toBe(10);
  const east = hoursOf(answerOf(monday), spend, () => 480);
  expect(east.cells[1]?.[6]).toBe(5);
});
