// Runs tests of browsers, nodes and time again and again under load, and names what ever failed:
// `npm run flakes`. Words choose files by their path, `--load` one of the loads, `--rounds` how often.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chanceFiles } from "./files.ts";
import { isLoad, loads } from "./loads.ts";
import { runRounds, type Failure } from "./runs.ts";

const root = join(import.meta.dir, "..", "..");
const outputFolder = join(root, "node_modules", ".cache", "sluice-flakes");
const { values, positionals } = parseArgs({
  options: {
    rounds: { type: "string", default: "20" },
    load: { type: "string", multiple: true, default: Object.keys(loads) },
  },
  allowPositionals: true,
});
const rounds = Number(values.rounds);
const chosen = values.load.filter(isLoad);
const files = chanceFiles(root, positionals);
const usage = `--rounds takes a whole number from 1, --load one of ${Object.keys(loads).join(", ")}`;
const isUsed = Number.isInteger(rounds) && rounds > 0 && chosen.length === values.load.length;
if (!isUsed || files.length === 0) {
  console.error(isUsed ? `No file of tests has ${positionals.join(" or ")} in its path.` : usage);
  process.exit(2);
}

function describe({ file, test, counts, outputs }: Failure): string {
  const often = Array.from(counts, ([load, count]) => `${count} under ${load}`);
  const all = often.join(", ");
  return `${file}: ${test}\n  failed in ${all} of ${rounds}; the last output: ${outputs.at(-1)}`;
}

const failures = await runRounds({
  root,
  files,
  loads: chosen,
  rounds,
  outputFolder,
  say: (line) => console.log(line),
});
for (const failure of failures) console.log(describe(failure));
console.log(`${failures.length} tests ever failed, of ${files.length} files in ${rounds} rounds.`);
process.exitCode = failures.length === 0 ? 0 : 1;
