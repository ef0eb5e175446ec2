// npm run cluster-crash -- --kills 200: four nodes under load, killed, frozen and cut off, their
// database stopped and failed over, its replies lost. Fails on anything overspent, lost or doubled.
// With --mutants it runs builds that are broken on purpose, and fails where one is not caught.
import { parseArgs } from "node:util";
import { Folder } from "../../harness/folder.ts";
import { findPostgres } from "../../harness/postgres/find.ts";
import { Campaign, type CampaignReport } from "./campaign.ts";
import { buildMutant, mutants } from "./mutants.ts";
import { faultsOf } from "./plan.ts";
import { Stage, type StageOptions } from "./stage.ts";

const shownMax = 20;
const progressEvery = 10;
const mutantKillsMax = 40;
const taskLanes = 2;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    mutants: { type: "boolean", default: false },
    mutant: { type: "string" },
  },
});
const programs = await findPostgres();
if ("missing" in programs) throw new Error(`there is no PostgreSQL: ${programs.missing}`);
const options: StageOptions = {
  bin: programs.bin,
  nodes: 4,
  leaseMs: 2000,
  payers: 14,
  hasStandby: true,
  hasRedis: true,
  isSynced: true,
};
/** An early end leaves the report of the kills that were. */
let isStopped = false;
process.once("SIGINT", () => (isStopped = true));
process.once("SIGTERM", () => (isStopped = true));
const isGood =
  values.mutants || values.mutant !== undefined
    ? await catchMutants(values.mutant)
    : await runWhole(Number(values.kills));
// Timers of the harness would keep the process for a while.
process.exit(isGood ? 0 : 1);

async function runWhole(killsMax: number): Promise<boolean> {
  const { violations, ...report } = await play(options, killsMax, () => false);
  console.log(JSON.stringify(report, null, 2));
  for (const violation of violations.slice(0, shownMax)) console.log(violation);
  console.log(violations.length === 0 ? "nothing was broken" : `${violations.length} violations`);
  return violations.length === 0;
}

async function catchMutants(only: string | undefined): Promise<boolean> {
  let isCaught = true;
  for (const mutant of mutants.filter(({ name }) => only === undefined || name === only)) {
    using folder = new Folder();
    const entry = await buildMutant(mutant, folder.path);
    const broken = { ...options, entry, hasStandby: false, hasRedis: false };
    const { violations, faults, seconds } = await play(
      broken,
      mutantKillsMax,
      ({ violations: { length } }) => length > 0,
    );
    const [first = "NOT CAUGHT"] = violations;
    console.log(`${mutant.name}: ${violations.length} violations in ${seconds} s: ${first}`);
    console.log(JSON.stringify(faults));
    isCaught &&= violations.length > 0;
  }
  return isCaught;
}

async function play(
  stageOptions: StageOptions,
  killsMax: number,
  isDone: (campaign: Campaign) => boolean,
): Promise<CampaignReport> {
  let campaign: Campaign | null = null;
  await using stage = await Stage.open(stageOptions, () => campaign?.noteLoss());
  if (stageOptions.hasStandby && !stage.databases.hasStandby) {
    console.log("LEFT OUT: failovers, for which there is no pg_basebackup");
  }
  if (stageOptions.hasRedis && !stage.redis) console.log("LEFT OUT: faults of Redis");
  campaign = new Campaign(stage, taskLanes);
  for (let round = 0; campaign.kills < killsMax && !isDone(campaign) && !isStopped; round++) {
    await campaign.round(`round ${round}`, faultsOf(round));
    if (round % progressEvery !== progressEvery - 1) continue;
    const { kills, seen, violations } = campaign;
    const line = `${kills} kills, ${seen.acknowledged} acknowledged, ${violations.length} violations`;
    console.log(line);
  }
  if (!isDone(campaign)) return await campaign.end();
  await campaign.stop();
  return await campaign.report();
}
