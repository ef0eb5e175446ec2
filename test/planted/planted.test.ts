// The faults of `npm run planted` can be planted: their texts are still in the sources. Whether each
// is found takes minutes, and is run by hand.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { faults } from "./faults.ts";
import { Copy, repository } from "./plant.ts";

test("each of 30 planted faults has its text in the sources, once, and tests that are there", () => {
  expect(new Set(faults.map(({ kind }) => kind)).size).toBe(30);
  for (const { kind, file, from, to, tests } of faults) {
    const texts = readFileSync(join(repository, file), "utf8").split(from);
    expect([kind, texts.length]).toEqual([kind, 2]);
    expect(to).not.toBe(from);
    expect(tests.filter((path) => !existsSync(join(repository, path)))).toEqual([]);
  }
});

test("a planted fault is found by its test, which passes without it", async () => {
  const fault = faults.find(({ file }) => file === "src/core/csv.ts");
  if (!fault) throw new Error("there is no fault in src/core/csv.ts");
  using copy = new Copy(repository);
  expect(await copy.verdictOn(fault, fault.tests)).toBe("failed");
  expect(await copy.run(fault.tests)).toBe("passed");
});
