import { expect, test } from "bun:test";
import { LowReports } from "./low-reports.ts";

const hourMs = 3_600_000;
const report = { model: "m", reportedTokens: 100, deliveredTokens: 2000 };

test("a model's replies are counted once an hour", () => {
  const reports = new LowReports();
  expect(reports.claimCount("m", 0)).toBe(true);
  expect(reports.claimCount("m", hourMs - 1)).toBe(false);
  expect(reports.claimCount("other", hourMs - 1)).toBe(true);
  expect(reports.claimCount("m", hourMs)).toBe(true);
});

test("names that a client makes up do not fill the memory", () => {
  const reports = new LowReports();
  for (let name = 0; name < 1000; name++) {
    if (reports.claimCount(`m${name}`, 0)) reports.add({ ...report, model: `m${name}`, atMs: 0 });
  }
  expect(reports.list(0).length).toBe(50);
  expect(reports.claimCount("m", hourMs)).toBe(true);
});

test("a report is listed for a day", () => {
  const reports = new LowReports();
  reports.add({ ...report, atMs: 0 });
  expect(reports.list(24 * hourMs - 1)).toEqual([{ ...report, atMs: 0 }]);
  expect(reports.list(24 * hourMs)).toEqual([]);
});
