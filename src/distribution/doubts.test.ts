import type { AccountId } from "../core/ids.ts";
import { expect, test } from "bun:test";
import { Health } from "./health.ts";

const rules = { failuresToEject: 1000, ejectionMs: 100, ejectionMsMax: 350 };

test("five reports in a row that cannot be put a channel aside, and one that can ends the row", () => {
  const health = new Health(rules);
  for (let count = 0; count < 4; count++) health.doubted(0);
  health.trusted();
  for (let count = 0; count < 4; count++) health.doubted(0);
  expect(health.isOut(0)).toBe(false);
  health.doubted(0);
  expect([health.isOut(99), health.isOut(100)]).toEqual([true, false]);
});

test("a channel that goes on so is put aside for longer, although it serves", () => {
  const health = new Health(rules);
  for (let count = 0; count < 5; count++) health.doubted(0);
  health.started(100, "acc_1" as AccountId);
  health.succeeded();
  health.doubted(100);
  expect([health.isOut(299), health.isOut(300)]).toEqual([true, false]);
  health.started(300, "acc_1" as AccountId);
  health.succeeded();
  health.doubted(300);
  expect([health.isOut(649), health.isOut(650)]).toEqual([true, false]);
  health.started(650, "acc_1" as AccountId);
  health.succeeded();
  health.trusted();
  expect(health.isOut(651)).toBe(false);
});
