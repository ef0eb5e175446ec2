// The trial of cache affinity: npm run affinity -- [--conversations 1000] [--turns 30]
import { parseArgs } from "node:util";
import { runTrial, type TrialOptions } from "./trial.ts";

const { values } = parseArgs({
  options: {
    conversations: { type: "string", default: "1000" },
    turns: { type: "string", default: "30" },
  },
});
const size = { conversations: Number(values.conversations), turns: Number(values.turns) };
const percent = (part: number) => `${(part * 100).toFixed(1)} %`;

type Case = Pick<TrialOptions, "nodes" | "isRough">;
const cases: Case[] = [1 as const, 2 as const].flatMap((nodes) => [
  { nodes, isRough: false },
  { nodes, isRough: true },
]);

const heads = ["Nodes", "On the way", "Cached input, off", "Cached input, on"];
heads.push("Warm turns, off", "Warm turns, on");
process.stdout.write(`| ${heads.join(" | ")} |\n| ${heads.map(() => "---").join(" | ")} |\n`);
for (const one of cases) {
  const off = await runTrial({ ...size, ...one, isOn: false });
  const on = await runTrial({ ...size, ...one, isOn: true });
  const cells = [
    String(one.nodes),
    one.isRough ? "rough" : "calm",
    percent(off.share),
    percent(on.share),
    percent(off.warmShare),
    percent(on.warmShare),
  ];
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
}
