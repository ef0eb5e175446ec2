// Any value anywhere in a client's request: it is refused, or the hold covers the worst bill that
// the vendor can send for what reaches it, told by a meter that knows nothing of the gateway's
// code.
//
//   npm run holds                              runs 2,000,000 cases
//   npm run holds -- --every                   runs all places with all that can be put there
//   HOLDS_SEED=123 bun test test/holds         replays one case
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { corpus } from "./corpus.ts";
import { drive } from "./drive.ts";
import { someCase, strangeCases, type HoldCase } from "./generate/cases.ts";
import { gatewayCases, hourMarkCases } from "./generate/gateway-fields.ts";
import { honestCases } from "./honest.ts";
import { placeLists } from "./generate/wire-places.ts";
import { judge } from "./judge.ts";
import { recordedCases, recordedWires } from "./recorded.ts";
import { tell } from "./shrink.ts";

const { HOLDS_SEED } = process.env;
const firstSeed = Number(HOLDS_SEED ?? 0);
const caseCount = HOLDS_SEED === undefined ? 6000 : 1;
const shownMax = 5;

function findsAmong(cases: Iterable<HoldCase>): string[] {
  const finds: string[] = [];
  for (const one of cases) {
    if (judge(one).kind === "short" && finds.length < shownMax) finds.push(tell(one));
  }
  return finds;
}

function* seededCases(): Generator<HoldCase> {
  for (let seed = firstSeed; seed < firstSeed + caseCount; seed++) yield someCase(seed);
}

test("no kept case is held for less than its worst bill", () => {
  expect(findsAmong(corpus)).toEqual([]);
});

test("nothing that is put anywhere is held for less than its worst bill", () => {
  expect(findsAmong(seededCases())).toEqual([]);
});

test("nothing in a part of an unknown type is held for less than its worst bill", () => {
  expect(findsAmong(strangeCases())).toEqual([]);
});

test("no field that other vendors and gateways read costs more than is held", () => {
  expect(findsAmong(gatewayCases())).toEqual([]);
});

test("what is kept for an hour is held for, wherever its mark stands", () => {
  expect(findsAmong(hourMarkCases())).toEqual([]);
});

test("a seed is the same case on every machine", () => {
  for (let seed = 0; seed < 20; seed++) expect(someCase(seed)).toEqual(someCase(seed));
});

for (const { name, heldMicrosMax, ...honest } of honestCases) {
  test(`an honest request is served and held for no more than before: ${name}`, () => {
    const verdict = judge({ name, ...honest });
    expect(verdict).toMatchObject({ kind: "covered" });
    if (verdict.kind === "covered") expect(verdict.heldMicros).toBeLessThanOrEqual(heldMicrosMax);
  });
}

/** Holds in the median, beside what they were before places. */
const riseMax = 1.05;

for (const wire of recordedWires) {
  test(`what is held for recorded bodies has not risen in the median: ${wire}`, () => {
    const rises = recordedCases
      .filter((one) => one.wire === wire)
      .flatMap(({ beforeMicros, ...one }) => {
        const outcome = drive(one);
        return outcome.kind === "held" ? [outcome.micros / beforeMicros] : [];
      })
      .toSorted((one, other) => one - other);
    expect(rises.length).toBeGreaterThan(15);
    expect(rises[Math.floor(rises.length / 2)]).toBeLessThanOrEqual(riseMax);
  });
}

test("the places are those of the clients that are installed: else run places/extract.ts", async () => {
  for (const { madeFrom } of Object.values(placeLists)) {
    for (const made of madeFrom) {
      const [name = "", version] = made.split(" ");
      const installed = join(import.meta.dir, "../../node_modules", name, "package.json");
      expect({ name, ...(await Bun.file(installed).json()) }).toMatchObject({ name, version });
    }
  }
});

test("the meter shares no code with what it measures", async () => {
  for (const folder of ["meter", "generate", "places"]) {
    for (const name of readdirSync(join(import.meta.dir, folder))) {
      const text = await Bun.file(join(import.meta.dir, folder, name)).text();
      expect({ name, imports: /from\s+"[^"]*\bsrc\//.test(text) }).toEqual({
        name,
        imports: false,
      });
    }
  }
});
