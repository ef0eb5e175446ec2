// npm run agents: agents as people use them, each over every kind of vendor. Fails when one of them
// does not come from its prompt over an edit of a file to an answer. A whole run that fails nowhere
// is noted in docs/agents.md.
import { parseArgs } from "node:util";
import type { Agent } from "./agent.ts";
import { claude } from "./claude.ts";
import { codex, codexSocket } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { noteRuns, type Run, versionOf } from "./note.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";
import { startStand, vendors } from "./stand.ts";
import { type Result, runTrial, type Trial } from "./trial.ts";
import { byHand, bySetup } from "./ways.ts";

const { values: chosen } = parseArgs({
  options: { only: { type: "string" }, vendor: { type: "string" } },
});
const isWhole = chosen.only === undefined && chosen.vendor === undefined;

function choose<One extends { name: string }>(
  from: readonly One[],
  option: keyof typeof chosen,
): readonly One[] {
  const name = chosen[option];
  const found = from.filter((one) => name === undefined || one.name === name);
  if (found.length > 0) return found;
  throw new Error(`--${option} must be one of: ${from.map((one) => one.name).join(", ")}`);
}

/** Runs of all its models on every vendor; one more, as set up, on one that speaks as it does. */
function trialsOf(agent: Agent): Trial[] {
  const trials = agent.models.flatMap((model) =>
    upstreams.map((vendor): Trial => ({ agent, model, vendor, way: byHand })),
  );
  const native = trials.find(({ vendor }) => vendor.dialect === agent.format);
  return native && agent.transport === "HTTP" ? [...trials, { ...native, way: bySetup }] : trials;
}

function render({ agent, model, vendor, way }: Trial, result: Result): string {
  const { faults, requests, seconds } = result;
  return [
    faults.length === 0 ? "ok  " : "FAIL",
    agent.name.padEnd(8),
    way.name.padEnd(7),
    model.name.padEnd(17),
    `${agent.format} to ${vendor.dialect}`.padEnd(23),
    vendor.name.padEnd(18),
    `${requests} requests`.padStart(11),
    `${seconds.toFixed(1)} s`.padStart(8),
  ].join(" ");
}

const agents = choose([claude, codex, codexSocket, gemini, opencode, qwen], "only");
const upstreams = choose(vendors, "vendor");
const names = agents.flatMap(({ models, hiddenModels }) => [
  ...models.map(({ name }) => name),
  ...hiddenModels,
]);
for (const agent of agents) console.log(`${agent.name}: ${agent.package} ${versionOf(agent)}`);
const runs: Run[] = [];
{
  await using stand = await startStand([...new Set(names)]);
  for (const trial of agents.flatMap(trialsOf)) {
    const result = await runTrial(trial, stand);
    runs.push({ trial, result });
    console.log(render(trial, result));
    if (result.faults.length === 0) continue;
    for (const fault of new Set(result.faults)) console.log(`     ${fault}`);
    console.log(result.remarks.replace(/^/gm, "     | "));
  }
}
const failures = runs.filter(({ result }) => result.faults.length > 0).length;
console.log(`${runs.length} runs, ${failures} failed`);
if (isWhole && failures === 0) noteRuns(runs);
process.exit(failures === 0 ? 0 : 1);
