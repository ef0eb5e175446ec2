// Every rule of the tables by which bodies are walked is needed: without it, something that gets
// through is held for less than its worst bill.
import { expect, test } from "bun:test";
import { corpus } from "./corpus.ts";
import { judge } from "./judge.ts";
import { mutants, type Mutant } from "./mutants.ts";
import { probesFor } from "./probes.ts";

const probesMax = 8000;

/** Rules are about texts; an object in a text's stead goes by others. */
function isTextProbe({ put }: { put: unknown }): boolean {
  return typeof put === "string";
}

/** Whether it is caught; null where all is refused anyway, so that the rule is never reached. */
function isCaught({ wires, field, break: breakRule }: Mutant): boolean | null {
  const mend = breakRule();
  try {
    if (corpus.some((kept) => wires.includes(kept.wire) && judge(kept).kind === "short"))
      return true;
    let isReached = false;
    let count = 0;
    for (const probe of probesFor(wires, field)) {
      const { kind } = judge(probe);
      if (kind === "short") return true;
      isReached ||= kind === "covered" && isTextProbe(probe);
      if (++count === probesMax) break;
    }
    return isReached ? false : null;
  } finally {
    mend();
  }
}

test("a rule that is taken out of the bound is caught", () => {
  const verdicts = [...mutants()].map((mutant) => ({
    name: mutant.name,
    caught: isCaught(mutant),
  }));
  const caught = verdicts.filter((one) => one.caught === true);
  expect(verdicts.filter((one) => one.caught === false)).toEqual([]);
  expect(caught.length).toBeGreaterThan(50);
});
