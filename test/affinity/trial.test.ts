// A small one of the trial; `npm run affinity` runs it with 1,000 conversations of 30 turns.
import { expect, setDefaultTimeout, test } from "bun:test";
import { runTrial } from "./trial.ts";

setDefaultTimeout(60_000);

const size = { conversations: 36, turns: 10 };

test("D6 spread over six keys, conversations find little of what they said in a cache", async () => {
  const off = await runTrial({ ...size, nodes: 1, isOn: false, isRough: false });
  expect(off.share).toBeLessThan(0.75);
  const on = await runTrial({ ...size, nodes: 1, isOn: true, isRough: false });
  expect(on.share).toBeGreaterThan(0.85);
  expect(on.share).toBeGreaterThan(off.share);
  // Shares are those of the weights: a half is 18 of 36, five standard deviations are 15.
  expect(on.firstShare).toBeGreaterThan(0.08);
  expect(on.firstShare).toBeLessThan(0.92);
});

test("D6 conversations keep their caches through failures, rests and a better channel", async () => {
  const rough = await runTrial({ ...size, nodes: 1, isOn: true, isRough: true });
  expect(rough.share).toBeGreaterThan(0.6);
});

test("D6 nodes that know nothing of each other send a conversation to the same key", async () => {
  const calm = await runTrial({ ...size, nodes: 2, isOn: true, isRough: false });
  expect(calm.share).toBeGreaterThan(0.85);
});
