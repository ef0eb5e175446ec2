// npm run agents: agents as people use them, each over every kind of vendor. Fails when one of them
// does not come from its prompt over a tool call to an answer.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Agent } from "./agent.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { startStand, vendors } from "./stand.ts";
import { type Result, runTrial, type Trial } from "./trial.ts";

function chooseAgents(): Agent[] {
  const all = [claude, codex, gemini];
  const { values } = parseArgs({ options: { only: { type: "string" } } });
  if (values.only === undefined) return all;
  const chosen = all.filter(({ name }) => name === values.only);
  if (chosen.length > 0) return chosen;
  throw new Error(`--only must be one of: ${all.map(({ name }) => name).join(", ")}`);
}

function versionOf({ package: name }: Agent): string {
  const path = join(import.meta.dir, "node_modules", name, "package.json");
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

function render({ agent, model, vendor }: Trial, { faults, requests, seconds }: Result): string {
  return [
    faults.length === 0 ? "ok  " : "FAIL",
    agent.name.padEnd(7),
    model.name.padEnd(10),
    `${agent.format} to ${vendor.dialect}`.padEnd(23),
    vendor.name.padEnd(18),
    `${requests} requests`.padStart(11),
    `${seconds.toFixed(1)} s`.padStart(8),
  ].join(" ");
}

const agents = chooseAgents();
const trials = agents.flatMap((agent) =>
  agent.models.flatMap((model) => vendors.map((vendor): Trial => ({ agent, model, vendor }))),
);
const names = agents.flatMap(({ models, hiddenModels }) => [
  ...models.map(({ name }) => name),
  ...hiddenModels,
]);
for (const agent of agents) console.log(`${agent.package} ${versionOf(agent)}`);
let failures = 0;
{
  await using stand = await startStand([...new Set(names)]);
  for (const trial of trials) {
    const result = await runTrial(trial, stand);
    console.log(render(trial, result));
    if (result.faults.length === 0) continue;
    failures++;
    for (const fault of new Set(result.faults)) console.log(`     ${fault}`);
    console.log(result.remarks.replace(/^/gm, "     | "));
  }
}
console.log(`${trials.length} runs, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
