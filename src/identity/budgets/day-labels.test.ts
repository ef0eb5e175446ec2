import { expect, test } from "bun:test";
import { dayMs } from "../../core/day.ts";
import { DayLabels, ownLabelsMax, otherLabel } from "./day-labels.ts";

test("a thousand labels have their own on a day, and on the next day others may", () => {
  const labels = new DayLabels();
  for (let at = 0; at < ownLabelsMax; at++) expect(labels.admit(`l${at}`, 5)).toBe(`l${at}`);
  expect(labels.admit("late", 6)).toBe(otherLabel);
  expect(labels.admit("l0", 7)).toBe("l0");
  expect(labels.admit("late", dayMs)).toBe("late");
});
