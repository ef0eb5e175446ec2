// Plants each fault in a copy and runs the tests that must find it: `npm run planted`. Words choose
// faults by their kind. `--in <folder>` takes another version of the repository.
import { parseArgs } from "node:util";
import { faults } from "./faults.ts";
import { Copy, repository } from "./plant.ts";

const { values, positionals } = parseArgs({
  options: { in: { type: "string", default: repository } },
  allowPositionals: true,
});
const chosen = faults.filter(({ kind }) => positionals.every((word) => kind.includes(word)));
using copy = new Copy(values.in);
const startMs = performance.now();
const missed: string[] = [];
for (const fault of chosen) {
  const beganMs = performance.now();
  // Some test of those named must find it; the others are not run any more.
  let verdict = "passed";
  for (const test of fault.tests) {
    verdict = await copy.verdictOn(fault, [test]);
    if (verdict === "failed") break;
  }
  if (verdict !== "failed") missed.push(fault.kind);
  const seconds = ((performance.now() - beganMs) / 1000).toFixed(1);
  console.log(
    `${verdict === "failed" ? "found " : "MISSED"} ${seconds.padStart(6)} s  ${fault.kind}`,
  );
}
const seconds = Math.round((performance.now() - startMs) / 1000);
const found = chosen.length - missed.length;
console.log(`${found} of ${chosen.length} faults are found, in ${seconds} s.`);
process.exitCode = missed.length === 0 ? 0 : 1;
