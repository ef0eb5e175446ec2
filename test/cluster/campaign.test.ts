// A few rounds of the campaign of faults; `npm run cluster-crash` runs the long one.
import { expect, setDefaultTimeout, test } from "bun:test";
import { findPostgres } from "../harness/postgres/find.ts";
import { Campaign } from "./campaign/campaign.ts";
import { mutants, readMutated } from "./campaign/mutants.ts";
import type { Fault } from "./campaign/plan.ts";
import { Stage } from "./campaign/stage.ts";

setDefaultTimeout(180_000);

const rounds: readonly (readonly Fault[])[] = [
  ["frozen beyond its lease", "node killed", "replies lost"],
  ["database stopped at once", "node killed"],
  ["replies lost", "connections cut", "node killed"],
  ["killed amid long answers"],
];

test("faults of nodes and of their database, one after another, lose no money", async () => {
  const programs = await findPostgres();
  if ("missing" in programs) throw new Error(programs.missing);
  let campaign: Campaign | null = null;
  await using stage = await Stage.open(
    {
      bin: programs.bin,
      nodes: 3,
      leaseMs: 2000,
      payers: 4,
      hasStandby: false,
      hasRedis: false,
      isSynced: false,
    },
    () => campaign?.noteLoss(),
  );
  campaign = new Campaign(stage, 0);
  for (const [at, faults] of rounds.entries()) await campaign.round(`round ${at}`, faults);
  const report = await campaign.end();
  expect(report.violations).toEqual([]);
  expect(report.faults).toMatchObject({
    "node killed": 3,
    "killed amid long answers": 1,
    "database stopped at once": 1,
    "frozen beyond its lease": 1,
    "connections cut": 1,
  });
  expect(report.faults["replies lost"]).toBeGreaterThan(0);
  expect(campaign.seen.diedLate).toBeGreaterThan(0);
  expect(campaign.seen.windows).toBeGreaterThan(2);
  expect(report.budgetRefusals).toBeGreaterThan(20);
  // Without work there would be nothing to lose.
  expect(report.acknowledged).toBeGreaterThan(20);
  expect(report.spentToTheEnd).toBe(3);
});

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  "the mutant of %p still finds the text that it changes",
  async (_name, mutant) => {
    expect(await readMutated(mutant)).toContain(mutant.to);
  },
);
