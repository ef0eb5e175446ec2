// npm run crash: the whole campaign. Fails on anything lost, any broken promise of the ledger, and
// a start that takes longer than an operator should wait.
import { parseArgs } from "node:util";
import { runCampaign, type Report } from "./campaign.ts";

const roundsDefault = 100;
const roundsMax = 10_000;
const startUpMsAllowed = 2000;
const shownMax = 20;

function readRounds(): number {
  const { values } = parseArgs({ options: { rounds: { type: "string" } } });
  const rounds = Number(values.rounds ?? roundsDefault);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= roundsMax) return rounds;
  throw new Error(`--rounds must be a whole number from 1 to ${roundsMax}`);
}

function render(report: Report): string {
  const startUps = report.startUpsMs.toSorted((a, b) => a - b);
  const rows: [string, string | number][] = [
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
    ["median start-up, in ms", Math.round(startUps[Math.floor(startUps.length / 2)] ?? 0)],
    ["slowest start-up, in ms", Math.round(startUps.at(-1) ?? 0)],
  ];
  return rows.map(([name, value]) => `${name.padEnd(28)}${String(value).padStart(12)}`).join("\n");
}

const report = await runCampaign({
  rounds: readRounds(),
  progress(round, { acknowledged, lost, violations }) {
    if (round % 10 !== 0) return;
    console.log(
      `round ${round}: ${acknowledged} acknowledged, ${lost.length} lost, ${violations.length} violations`,
    );
  },
});
console.log(`\n${render(report)}`);
for (const line of [...report.lost, ...report.violations].slice(0, shownMax)) console.log(line);
const isSlow = report.startUpsMs.some((ms) => ms > startUpMsAllowed);
if (isSlow) console.log(`a start-up took longer than ${startUpMsAllowed} ms`);
const isGood = !isSlow && report.lost.length === 0 && report.violations.length === 0;
// Timers of the harness would keep the process for a while.
process.exit(isGood ? 0 : 1);
