// The published matrix is what the code does, and no number of it gets worse.
import { describe, expect, test } from "bun:test";
import { kinds } from "./facts.ts";
import { measureAll, type Cell } from "./measure.ts";
import { pagePath, readPage, renderPage } from "./page.ts";

const cells = measureAll();
const page = await Bun.file(pagePath).text();

test("the page of the matrix is what npm run fidelity writes", () => {
  expect(renderPage(cells)).toBe(page);
});

test("no number of the matrix is worse than the page says", () => {
  const now = readPage(renderPage(cells));
  for (const [name, { held, of }] of readPage(page)) {
    const { held: heldNow = 0, of: ofNow = 0 } = now.get(name) ?? {};
    expect(heldNow, name).toBeGreaterThanOrEqual(held);
    expect(ofNow - heldNow, name).toBeLessThanOrEqual(of - held);
  }
});

test.each([...kinds])("there are cases of %s on at least two wires", (kind) => {
  const wires = new Set(cells.flatMap(({ counts, upstream }) => (counts[kind].of ? upstream : [])));
  expect(wires.size).toBeGreaterThanOrEqual(2);
});

describe("the measure", () => {
  test("sees what does not arrive", () => {
    const [first] = cells;
    const broken: Cell[] = cells.map((cell) =>
      cell === first ? { ...cell, counts: { ...cell.counts, text: { held: 0, of: 9 } } } : cell,
    );
    const name = `${first?.client} ${first?.upstream} ${first?.way} text`;
    expect(readPage(renderPage(broken)).get(name)).toEqual({ held: 0, of: 9 });
  });
});
