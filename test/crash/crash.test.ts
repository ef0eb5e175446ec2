// A few rounds of the kill -9 campaigns; `npm run crash` runs the long ones.
import { expect, setDefaultTimeout, test } from "bun:test";
import { runCampaign } from "./campaign.ts";
import { runTaskCampaign } from "./tasks/campaign.ts";

setDefaultTimeout(120_000);

test("fault F1 a gateway killed under load loses no answer and no credit that anyone has", async () => {
  const report = await runCampaign({ rounds: 6 });
  expect(report.lost).toEqual([]);
  expect(report.violations).toEqual([]);
  expect(report.rounds).toBe(6);
  expect(report.startUpKills).toBeGreaterThan(0);
  // Without work there would be nothing to lose.
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report.streamed).toBeGreaterThan(0);
  expect(report.refused).toBeGreaterThan(0);
  expect(report.credits).toBeGreaterThan(0);
  // Held under four each, and the books say what each of them has.
  expect(report.caps).toBeGreaterThan(4);
});

test("I6 V-F1 fault F1 a gateway killed while videos and images are made makes none twice and settles each once", async () => {
  const report = await runTaskCampaign({ rounds: 5 });
  expect(report.violations).toEqual([]);
  expect(report.startUpKills).toBeGreaterThan(0);
  expect(report.accepted).toBeGreaterThan(20);
  expect(report.repeated).toBeGreaterThan(0);
  expect(report.reads).toBeGreaterThan(0);
  expect(report.completed).toBeGreaterThan(0);
  expect(report.failed).toBeGreaterThan(0);
  expect(report.completed + report.failed).toBe(report.tasks);
  expect(Object.keys(report.completedByKind).toSorted()).toEqual(["image", "img-f", "video"]);
});
