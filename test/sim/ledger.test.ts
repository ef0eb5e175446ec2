// The money core under thousands of seeds of crashes, full disks and lost power, compared with a
// reference book after every step; and the same for builds that are broken on purpose.
//
//   npm run sim                            runs 20,000 seeds
//   SIM_SEEDS=100000 bun test test/sim     runs more seeds than the usual 180
//   SIM_SEED=123 bun test test/sim         replays one seed
//   SIM_TRACE=1 SIM_SEED=123 ...           and shows everything that happened in it
import { expect, test } from "bun:test";
import { AssertionError } from "../../src/core/assert.ts";
import { StoreError } from "../../src/store/store.ts";
import type { Build } from "./build.ts";
import { BrokenPromise } from "./failure.ts";
import { mutants } from "./mutants.ts";
import { simulate } from "./simulate.ts";

/** Nearly every mutant below is caught within a third of them. */
const seedsUsual = 120;
const mutantSeedsMax = 5000;
/** Some need a rare turn of events: looking begins shortly before a seed that has it. */
const rareFrom = new Map([
  ["a sync covers only the newest file", 60],
  ["the log does not remember how far it is", 60],
  ["an emptied file is not synced at the start", 130],
  ["what was cut short is not taken back", 365],
  ["a commit of the log that failed is believed", 1730],
]);
/** Seeds from there on that are run besides the usual ones. */
const rareSpan = 20;
const rareSeeds = [...rareFrom.values()].flatMap((first) =>
  Array.from({ length: rareSpan }, (_, at) => first + at),
);
const timeoutMs = 3_600_000;

const { SIM_SEED, SIM_SEEDS, SIM_TRACE } = process.env;
const seeds =
  SIM_SEED === undefined
    ? [...new Set([...Array(Number(SIM_SEEDS ?? seedsUsual)).keys(), ...rareSeeds])]
    : [Number(SIM_SEED)];

/** Fault found with the seed, or null. */
function findFault(seed: number, build: Build): string | null {
  try {
    simulate(seed, build);
    return null;
  } catch (error) {
    const cause = error instanceof BrokenPromise ? error.cause : error;
    if (cause instanceof BrokenPromise) return cause.message;
    // The ledger refuses a wrong movement, and the tables what breaks the book; any other fault is
    // one of the simulation itself.
    if (cause instanceof AssertionError) return cause.message;
    const refusals: unknown[] = ["constraint", "conflict"];
    if (cause instanceof StoreError && refusals.includes(cause.kind)) return cause.message;
    throw error;
  }
}

test(
  "no seed breaks a promise of the ledger",
  () => {
    const startedAtMs = performance.now();
    const sums = { decisions: 0, crashes: 0, powerLosses: 0 };
    for (const seed of seeds) {
      const { trace, decisions, crashes, powerLosses } = simulate(seed);
      if (SIM_TRACE !== undefined) console.log(trace.join("\n"));
      sums.decisions += decisions;
      sums.crashes += crashes;
      sums.powerLosses += powerLosses;
    }
    const perSecond = Math.round((seeds.length * 1000) / (performance.now() - startedAtMs));
    console.log(`${seeds.length} seeds, ${perSecond} a second: ${JSON.stringify(sums)}`);
    expect(sums.decisions).toBeGreaterThan(seeds.length);
    expect(sums.crashes).toBeGreaterThanOrEqual(seeds.length);
  },
  timeoutMs,
);

test("a seed replays the same history", () => {
  for (let seed = 0; seed < 20; seed++) {
    expect(simulate(seed)).toEqual(simulate(seed));
  }
});

for (const { name, build } of mutants) {
  test(
    `the simulation catches it when ${name}`,
    () => {
      const first = rareFrom.get(name) ?? 0;
      let seed = first;
      let fault: string | null = null;
      while (fault === null && seed < first + mutantSeedsMax) {
        fault = findFault(seed, build);
        if (fault === null) seed++;
      }
      console.log(`caught at seed ${seed}: ${fault?.slice(0, 160)}`);
      expect(fault).not.toBeNull();
      // Else `npm test` would no longer find it in the ledger itself.
      if (SIM_SEED === undefined) expect(seeds).toContain(seed);
    },
    timeoutMs,
  );
}
