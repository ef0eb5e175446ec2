// A few rounds of the kill -9 campaign; `npm run crash` runs the long one.
import { expect, setDefaultTimeout, test } from "bun:test";
import { runCampaign } from "./campaign.ts";

setDefaultTimeout(120_000);

test("hazard F1 a gateway killed under load loses no answer and no credit that anyone has", async () => {
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
});
