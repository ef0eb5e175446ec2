// Work before the hold, which anybody with a key can ask for without money: for each list and map
// of each wire, and each format that a request can be put into, twice as many elements are at most
// two and a half times the work, and the reads of the database are few.
import { expect, test } from "bun:test";
import { formats } from "../../src/formats/index.ts";
import { placeLists, type WireName } from "./generate/wire-places.ts";
import { admit, countReads, waysOf } from "./growth/admission.ts";
import { enlargedBodies, enlargedPairs, type EnlargedBody } from "./growth/enlarged.ts";

const wires = Object.keys(placeLists) as WireName[];

/** Elements with which each body is looked at first. */
const firstCount = 160;
/** CPU that so many take at most where the work is in proportion; else it is looked at closely. */
const firstMsMax = 2.5;
const closeCount = 1024;
const growthMax = 2.5;
const retakesMax = 4;
const readsMax = 16;
/** Finds of one way that are told. */
const shownMax = 2;

/** Bodies whose work grows faster, by their names, each with its reason. */
const exceptions: ReadonlyMap<string, string> = new Map([]);

function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function leastMs(work: () => void): number {
  return Math.min(cpuMs(work), cpuMs(work), cpuMs(work));
}

/**
 * Null where the work is in proportion. One good measurement of either doubling proves that: noise
 * only adds, and work that is squared grows by both.
 */
function findGrowth(
  { make }: EnlargedBody,
  work: (body: ReturnType<EnlargedBody["make"]>) => void,
) {
  const [once, twice] = [make(closeCount), make(2 * closeCount)];
  const fourTimes = make(4 * closeCount);
  let growth = 0;
  for (let retake = 0; retake < retakesMax; retake++) {
    const twiceMs = leastMs(() => work(twice));
    growth = twiceMs / leastMs(() => work(once));
    if (growth <= growthMax) return null;
    if (leastMs(() => work(fourTimes)) / twiceMs <= growthMax) return null;
  }
  return growth;
}

test("each wire that clients speak has a list of its places", () => {
  const spoken = Object.values(formats).filter(({ client }) => client);
  expect(
    spoken.map(({ name }) => name).filter((name) => !wires.some((wire) => wire === name)),
  ).toEqual([]);
});

for (const wire of wires) {
  test(`${wire}: twice as many elements are about twice the work`, () => {
    const ways = waysOf(wire);
    expect(ways.length).toBeGreaterThan(0);
    const found = new Map<string, string[]>();
    for (const enlarged of [...enlargedBodies(wire), ...enlargedPairs(wire)]) {
      const [few, body] = [enlarged.make(2), enlarged.make(firstCount)];
      let isRefused = false;
      for (const way of ways) {
        // Most of the bodies that one way refuses are refused by all, at one place.
        const isTaken = admit(wire, few, way);
        if (!isTaken && isRefused) continue;
        isRefused ||= !isTaken;
        const ofWay = found.get(way.format) ?? [];
        if (ofWay.length === shownMax) continue;
        const work = (one: typeof body) => admit(wire, one, way);
        if (cpuMs(() => work(body)) <= firstMsMax || leastMs(() => work(body)) <= firstMsMax)
          continue;
        const growth = findGrowth(enlarged, work);
        const name = `${enlarged.name} to ${way.format}`;
        if (growth === null || exceptions.has(name)) continue;
        found.set(way.format, [...ofWay, `${name}: ${growth.toFixed(1)} times`]);
      }
    }
    expect([...found.values()].flat()).toEqual([]);
  });

  test(`${wire}: ids that nobody knows are few reads of the database`, async () => {
    const found: string[] = [];
    for (const { name, make } of enlargedBodies(wire)) {
      const body = make(4 * readsMax);
      for (const isOpen of [false, true]) {
        const reads = await countReads(wire, body, isOpen);
        if (reads > readsMax) found.push(`${name}: ${reads} reads`);
      }
    }
    expect(found).toEqual([]);
  });
}
