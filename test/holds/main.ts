// Runs many more cases than the tests do:
//
//   npm run holds -- [--cases 2000000] [--from 0] [--show 20]
//   npm run holds -- --every
import { parseArgs } from "node:util";
import { everyCase, someCase, type HoldCase } from "./generate/cases.ts";
import { gatewayCases, hourMarkCases } from "./generate/gateway-fields.ts";
import { judge } from "./judge.ts";
import { tell } from "./shrink.ts";

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "2000000" },
    from: { type: "string", default: "0" },
    every: { type: "boolean", default: false },
    show: { type: "string", default: "20" },
  },
});

function* every(): Generator<HoldCase> {
  yield* gatewayCases();
  yield* hourMarkCases();
  yield* everyCase();
}

function* seeded(): Generator<HoldCase> {
  const first = Number(values.from);
  for (let seed = first; seed < first + Number(values.cases); seed++) yield someCase(seed);
}

const sums = { refused: 0, covered: 0, short: 0 };
/** One of each kind is enough to read. */
const told = new Set<string>();
const startedAtMs = performance.now();
const progressEach = 100_000;

function rate(): string {
  const count = sums.refused + sums.covered + sums.short;
  const perSecond = Math.round((count * 1000) / (performance.now() - startedAtMs));
  return `${count} cases, ${perSecond} a second: ${JSON.stringify(sums)}\n`;
}

for (const one of values.every ? every() : seeded()) {
  const verdict = judge(one);
  sums[verdict.kind]++;
  if (verdict.kind === "short") {
    const kind = `${one.wire} ${one.upstream} ${verdict.why.replace(/ names .*/, "")}`;
    if (!told.has(kind) && told.size < Number(values.show)) process.stdout.write(`${tell(one)}\n`);
    told.add(kind);
  }
  if ((sums.refused + sums.covered + sums.short) % progressEach === 0) process.stderr.write(rate());
}
process.stdout.write(rate());
if (sums.short > 0) process.exitCode = 1;
