// Every query there is, compiled for both engines and explained by them: what one of them does not
// understand is found here, and not where it is asked for the first time.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { isNamed, sampleArguments } from "../harness/engines/samples.ts";
import { openExplainers, type Explainer } from "../harness/engines/explainer.ts";

const root = join(import.meta.dir, "..", "..");
/** Those of the command line read files of their own, or databases of other programs. */
const files = [...new Bun.Glob("src/**/queries.ts").scanSync(root)]
  .filter((path) => !path.startsWith("src/cli/"))
  .toSorted();

/** They work on rows that were read, or on documents, and ask nothing. */
const asksNothing = [
  "isSameName",
  "commitSteps",
  "passingOver",
  "chooseRollup",
  "toRecord",
  "encodeRecords",
  "toTrail",
  "fromAttemptRow",
  "toSettings",
  "renewValue",
  "openProxy",
  "openOrNull",
  "failedSlots",
  "chooseSlots",
  "everySlotAccount",
  // Parts of others.
  "capped",
  "toSource",
  "ctesOf",
  "fromOf",
  "valuesOf",
  "dearestFirst",
  "facetSource",
  // Asked by a connection of their own, in one form for both.
  "balanceOf",
  "sumsOfAccount",
  "sumsOfHolds",
];

let explainers: Explainer[] = [];

beforeAll(async () => {
  explainers = await openExplainers();
});

afterAll(async () => {
  for (const explainer of explainers) await explainer.close();
});

describe.each(files)("the queries of %s", (path) => {
  test("are understood by both engines", async () => {
    const room: Record<string, unknown> = await import(join(root, path));
    const exported = Object.entries(room).filter(
      ([name]) => isNamed(name) && !asksNothing.includes(name),
    );
    for (const explainer of explainers) {
      const silent: string[] = [];
      for (const [name, value] of exported) {
        const before = explainer.count;
        await explainer.explain(value, sampleArguments(name, value, explainer));
        if (explainer.count === before && typeof value === "function") silent.push(name);
      }
      expect(silent).toEqual([]);
    }
    expect(explainers.map(({ refusals }) => refusals.splice(0))).toEqual([[], []]);
  });
});

test("there are as many of them as were ever counted", () => {
  for (const { count } of explainers) expect(count).toBeGreaterThan(180);
});
