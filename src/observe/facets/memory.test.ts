import { expect, test } from "bun:test";
import type { SlotPoint } from "../slots/reading/sums.ts";
import { FacetMemory } from "./memory.ts";

const some = (count: number): SlotPoint[] =>
  Array.from({ length: count }, (_, bucket) => ({
    bucket,
    name: null,
    counts: {},
    histograms: { first: [], total: [] },
  }));

test("what was made is kept until others need its place, those first that were not asked for", async () => {
  const memory = new FacetMemory(10);
  const reads: string[] = [];
  const ask = async (name: string, count: number) =>
    await memory.recall(name, async () => {
      reads.push(name);
      return some(count);
    });
  expect(await ask("a", 4)).toHaveLength(4);
  await ask("b", 4);
  await ask("a", 4);
  await ask("c", 4);
  expect(reads).toEqual(["a", "b", "c"]);
  await ask("a", 4);
  await ask("b", 4);
  expect(reads).toEqual(["a", "b", "c", "b"]);
  // Larger than all there is room for: it is made each time.
  await ask("d", 11);
  await ask("d", 11);
  await ask("a", 4);
  expect(reads.slice(4)).toEqual(["d", "d", "a"]);
});
