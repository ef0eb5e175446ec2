// npm run crash: the whole campaigns. Fails on anything lost, any broken promise of the ledger or
// of tasks, and a start that takes longer than an operator should wait.
import { parseArgs } from "node:util";
import { runCampaign, type Report } from "./campaign.ts";
import { runTaskCampaign, type TaskReport } from "./tasks/campaign.ts";

const roundsDefault = { rounds: 100, "task-rounds": 50 } as const;
const roundsMax = 10_000;
const startUpMsAllowed = 2000;
const shownMax = 20;
const progressEvery = 10;

type Row = [name: string, value: string | number];

/** Rounds of each campaign; 0 leaves it out. */
function readRounds(): Record<keyof typeof roundsDefault, number> {
  const option = { type: "string" } as const;
  const { values } = parseArgs({ options: { rounds: option, "task-rounds": option } });
  const read = (name: keyof typeof roundsDefault): number => {
    const rounds = Number(values[name] ?? roundsDefault[name]);
    if (Number.isInteger(rounds) && rounds >= 0 && rounds <= roundsMax) return rounds;
    throw new Error(`--${name} must be a whole number from 0 to ${roundsMax}`);
  };
  return { rounds: read("rounds"), "task-rounds": read("task-rounds") };
}

function requestRows(report: Report): Row[] {
  return [
    ["kills under load", report.rounds],
    ["kills during start-up", report.startUpKills],
    ["answers acknowledged", report.acknowledged],
    ["of them streamed", report.streamed],
    ["refused for lack of money", report.refused],
    ["credits confirmed", report.credits],
    ["charged, in micros", report.postedMicros],
    ["served upstream, in micros", report.servedMicros],
    ["lost", report.lost.length],
    ["violations", report.violations.length],
  ];
}

function taskRows(report: TaskReport): Row[] {
  return [
    ["kills under load", report.rounds],
    ["kills during start-up", report.startUpKills],
    ["videos and images asked for", report.asked],
    ["accepted", report.accepted],
    ["refused", report.refused],
    ["asked for again", report.repeated],
    ["looked after by clients", report.reads],
    ["tasks on record", report.tasks],
    ["jobs at the vendors", report.jobs],
    ["completed and charged", report.completed],
    ["of them videos", report.completedByKind["video"] ?? 0],
    ["of them images", report.completedByKind["image"] ?? 0],
    ["of them imgF", report.completedByKind["img-f"] ?? 0],
    ["failed and refunded", report.failed],
    ["of them of unknown outcome", report.unknownOutcomes],
    ["jobs of unknown outcome", report.orphans],
    ["found again after a cut", report.foundAgain],
    ["charged, in micros", report.postedMicros],
    ["booked as loss, in micros", report.lossMicros],
    ["violations", report.violations.length],
  ];
}

/** Prints what was found; false when it is not good. */
function conclude(rows: Row[], faults: string[], startUpsMs: number[]): boolean {
  const startUps = startUpsMs.toSorted((a, b) => a - b);
  const slowestMs = startUps.at(-1) ?? 0;
  rows.push(["median start-up, in ms", Math.round(startUps[startUps.length >> 1] ?? 0)]);
  rows.push(["slowest start-up, in ms", Math.round(slowestMs)]);
  const line = ([name, value]: Row) => `${name.padEnd(28)}${String(value).padStart(12)}`;
  console.log(`\n${rows.map(line).join("\n")}`);
  for (const fault of faults.slice(0, shownMax)) console.log(fault);
  const isSlow = slowestMs > startUpMsAllowed;
  if (isSlow) console.log(`a start-up took longer than ${startUpMsAllowed} ms`);
  return !isSlow && faults.length === 0;
}

async function runRequests(rounds: number): Promise<boolean> {
  console.log("requests");
  const report = await runCampaign({
    rounds,
    progress(round, { acknowledged, lost, violations }) {
      if (round % progressEvery !== 0) return;
      console.log(
        `round ${round}: ${acknowledged} acknowledged, ${lost.length} lost, ${violations.length} violations`,
      );
    },
  });
  const { lost, violations, startUpsMs } = report;
  return conclude(requestRows(report), [...lost, ...violations], startUpsMs);
}

async function runTasks(rounds: number): Promise<boolean> {
  console.log("\ntasks");
  const report = await runTaskCampaign({
    rounds,
    progress(round, { asked, accepted, odd }) {
      if (round % progressEvery !== 0) return;
      console.log(
        `round ${round}: ${asked.size} asked for, ${accepted.length} accepted, ${odd.length} odd answers`,
      );
    },
  });
  return conclude(taskRows(report), report.violations, report.startUpsMs);
}

const { rounds, "task-rounds": taskRounds } = readRounds();
const isRequestsGood = rounds === 0 || (await runRequests(rounds));
const isTasksGood = taskRounds === 0 || (await runTasks(taskRounds));
// Timers of the harness would keep the process for a while.
process.exit(isRequestsGood && isTasksGood ? 0 : 1);
