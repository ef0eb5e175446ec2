// Clients that leave at any moment and vendors that lie, are silent or tell their usage late, under
// many seeds; and the same with a rule broken on purpose.
//
//   SIM_LEAVING_SEEDS=5000 bun test ./test/sim/leaving.test.ts     runs more seeds than usual
import { expect, mock, setDefaultTimeout, test } from "bun:test";
import * as plausible from "../../src/quota/plausible.ts";
import { Dice } from "./dice.ts";
import { genuineRules, play, type LeavingRules, type Played } from "./leaving/play.ts";
import { rollScene, type Scene } from "./leaving/scene.ts";

setDefaultTimeout(600_000);

const seedCount = Number(process.env["SIM_LEAVING_SEEDS"] ?? 300);
const slackShare = 1.25;
const slackTokens = 2048 + 256;
/** Words of the gateway's own, where a request is converted. */
const phraseTokens = 128;
const frameBytes = 200;

/** Fault in the settlement of a scene, or null. */
function findFault(scene: Scene, played: Played): string | null {
  const { settled, finished, usedTokens, isDone } = played;
  const [entry] = settled;
  if (!entry || settled.length !== 1) return `it was settled ${settled.length} times`;
  if (finished > 1) return `it was finished ${finished} times`;
  const { micros, lossMicros } = entry;
  const bound = scene.promptBytes + frameBytes + phraseTokens + scene.outputTokensMax;
  if (micros > bound * slackShare + slackTokens) return `${micros} were charged, past its bound`;
  // The thoughts of a vendor that tells nothing are nobody's to know, also at its end.
  if (isDone && scene.tells === "nothing") return null;
  const toldTokens = scene.inputTokens + scene.hiddenTokens + scene.wordsAtMs.length;
  const isTold = isHeardOut(scene) && scene.tells === "truth";
  if (isTold && (micros !== toldTokens || lossMicros > 0)) {
    return `${micros} were charged for the ${toldTokens} that are told`;
  }
  if (micros + lossMicros >= usedTokens) return null;
  return `${usedTokens} were used, ${micros} charged and ${lossMicros} booked as a loss`;
}

/** The client waits for the end, or it comes soon enough after it has left. */
function isHeardOut({ leavesAtMs, endsAtMs }: Scene): boolean {
  if (leavesAtMs === null || endsAtMs <= leavesAtMs) return true;
  // Deadlines pass a tick late rather than early, and the simulation has steps of its own.
  return endsAtMs < leavesAtMs + genuineRules.readOnMs - 500;
}

/** The first fault that any of the seeds shows. */
async function search(rules: LeavingRules, seeds: number): Promise<string | null> {
  for (let seed = 0; seed < seeds; seed++) {
    const scene = rollScene(new Dice(seed));
    const fault = findFault(scene, await play(scene, rules));
    if (fault !== null) return `seed ${seed}: ${fault} ${JSON.stringify(scene)}`;
  }
  return null;
}

test("no seed has a client pay too much, or too little without a word", async () => {
  expect(await search(genuineRules, seedCount)).toBeNull();
});

test("a gateway that reads nothing on is found out", async () => {
  const fault = await search({ ...genuineRules, readOnMs: 0 }, seedCount);
  expect(fault).toContain("that are told");
});

test("a gateway that books no losses is found out", async () => {
  const fault = await search({ ...genuineRules, booksLosses: false }, seedCount);
  expect(fault).toContain("booked as a loss");
});

test("a gateway that believes whatever it is told is found out", async () => {
  const path = "../../src/quota/plausible.ts";
  const genuine = { ...plausible };
  await mock.module(path, () => ({ ...genuine, clampUsage: <Told>(told: Told) => told }));
  try {
    expect(await search(genuineRules, seedCount)).toContain("past its bound");
  } finally {
    await mock.module(path, () => genuine);
  }
});
