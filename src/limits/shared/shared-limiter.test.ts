import { expect, test } from "bun:test";
import fc from "fast-check";
import { SimulatedTime, SimulatedTimers } from "../../../test/sim/simulated-time.ts";
import type { Admission } from "../limiter.ts";
import { LimitError } from "../refusal.ts";
import type { LimitRule, LimitSubject } from "../rule.ts";
import { SimulatedStore, type SimulatedLender } from "./fixtures/simulated-store.ts";
import { SharedLimiter } from "./shared-limiter.ts";

const none: LimitRule = { requestsPerMinute: null, tokensPerMinute: null, concurrency: null };

type Outcome = Admission | LimitError;

/** Some nodes that share one store, in time that moves a little at a time. */
class World {
  readonly time = new SimulatedTime();
  readonly timers = new SimulatedTimers(this.time);
  readonly store = new SimulatedStore(this.time);
  readonly nodes: SharedLimiter[];
  readonly lenders: SimulatedLender[] = [];
  readonly subject: LimitSubject;
  readonly open: { admission: Admission; node: number }[] = [];
  readonly admittedAtMs: number[] = [];
  /** Times at which the store was lost, and came back without what it had. */
  readonly lostAtMs: number[] = [];
  tokens = 0;

  constructor(count: number, rule: Partial<LimitRule>) {
    this.subject = { scope: "key", id: "k", rule: { ...none, ...rule } };
    this.nodes = Array.from({ length: count }, (_, at) => {
      const lender = this.store.lenderOf(`node ${at}`);
      this.lenders.push(lender);
      const { time: clock, timers } = this;
      const rank = () => at;
      return new SharedLimiter({ lender, clock, timers, liveNodes: () => count, rank });
    });
  }

  get size(): number {
    return this.nodes.length;
  }

  async admit(node: number): Promise<Outcome> {
    let outcome: Outcome | null = null;
    void this.#ask(node).then((ended) => (outcome = ended));
    // An ask that waits for places elsewhere waits for time to pass.
    for (let turn = 0; outcome === null && turn < 100; turn++) {
      await settle();
      if (outcome === null && turn > 2) await this.pass(20);
    }
    if (outcome === null) throw new Error("neither admitted nor refused");
    return outcome;
  }

  async #ask(node: number): Promise<Outcome> {
    try {
      const admission = await this.nodes[node % this.size]?.admit([this.subject]);
      if (!admission) throw new Error("no such node");
      this.open.push({ admission, node });
      this.admittedAtMs.push(this.time.monotonicMs());
      return admission;
    } catch (error) {
      if (error instanceof LimitError) return error;
      throw error;
    }
  }

  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 50) {
      this.time.advance(Math.min(50, left));
      this.timers.ringDue();
      await settle();
    }
  }

  release(pick: number): void {
    const [one] = this.open.splice(pick % this.open.length, 1);
    one?.admission.release();
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve();
}

type Step =
  | { kind: "admit"; node: number; times: number }
  | { kind: "release"; pick: number }
  | { kind: "pass"; ms: number }
  | { kind: "lose" }
  | { kind: "return"; isEmpty: boolean };

const calmSteps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("admit" as const),
      node: fc.nat({ max: 3 }),
      times: fc.integer({ min: 1, max: 30 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("release" as const), pick: fc.nat() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.nat({ max: 3000 }) }),
  },
);
const stormySteps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: calmSteps },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("lose" as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("return" as const), isEmpty: fc.boolean() }),
  },
);

async function play(world: World, step: Step): Promise<void> {
  if (step.kind === "pass") await world.pass(step.ms);
  if (step.kind === "release") world.release(step.pick);
  if (step.kind === "lose" && world.store.isUp) {
    world.lostAtMs.push(world.time.monotonicMs());
    world.store.lose();
  }
  if (step.kind === "return" && !world.store.isUp) world.store.comeBack(step);
  if (step.kind === "admit") {
    for (let at = 0; at < step.times; at++) await world.admit(step.node);
  }
}

test("all nodes together admit the limit, its refill and what each was lent, and no more", async () => {
  const worlds = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    perMinute: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3000 })),
    steps: fc.array(stormySteps, { maxLength: 60 }),
  });
  await fc.assert(
    fc.asyncProperty(worlds, async ({ count, perMinute, steps }) => {
      const world = new World(count, { requestsPerMinute: perMinute });
      for (const step of steps) await play(world, step);
      const chunk = Math.max(1, Math.floor(perMinute / 600));
      const { admittedAtMs, lostAtMs } = world;
      admittedAtMs.forEach((fromMs, first) => {
        for (let last = first; last < admittedAtMs.length; last++) {
          const toMs = admittedAtMs[last] ?? fromMs;
          // With each loss a share begins with a second's worth, and one request more is there.
          const losses = lostAtMs.filter((atMs) => atMs >= fromMs && atMs <= toMs).length;
          const refill = (perMinute * (toMs - fromMs)) / 60_000;
          const begun = losses * (perMinute / 60 + 2 * count);
          const allowed = perMinute + refill + count * chunk + begun;
          expect(last - first + 1).toBeLessThanOrEqual(Math.ceil(allowed));
        }
      });
    }),
    { numRuns: 60 },
  );
});

test("a store that comes back empty gives no limit a second time, whichever node is asked", async () => {
  const perMinute = 120;
  for (const awayMs of [0, 300, 20_000]) {
    const world = new World(3, { requestsPerMinute: perMinute, tokensPerMinute: 1000 });
    const flood = async (node: number) => {
      while (!((await world.admit(node)) instanceof LimitError))
        world.open.at(-1)?.admission.spend(1);
    };
    // The third node has never heard of this subject.
    for (const node of [0, 1, 0]) await flood(node);
    const { length: before } = world.admittedAtMs;
    world.store.lose();
    await world.pass(awayMs);
    world.store.comeBack({ isEmpty: true });
    const fromMs = world.time.monotonicMs() - awayMs;
    await flood(2);
    for (let left = 7000; left > 0; left -= 100) {
      await world.pass(100);
      for (const node of [2, 0, 1]) await flood(node);
    }
    const spanMs = world.time.monotonicMs() - fromMs;
    const allowed = (perMinute * spanMs) / 60_000 + perMinute / 60 + 2 * world.size;
    expect(world.admittedAtMs.length - before).toBeLessThanOrEqual(Math.ceil(allowed));
  }
});

test("tokens that were used stay used when the store comes back empty", async () => {
  const world = new World(2, { tokensPerMinute: 600 });
  expect(await world.admit(0)).not.toBeInstanceOf(LimitError);
  world.open.pop()?.admission.spend(900);
  await world.pass(500);
  world.store.lose();
  world.store.comeBack({ isEmpty: true });
  await world.pass(2000);
  expect(await world.admit(1)).toBeInstanceOf(LimitError);
  await world.pass(30_000);
  expect(await world.admit(1)).not.toBeInstanceOf(LimitError);
});

test("a store that was only out of reach is gone by again at once, for what is new as well", async () => {
  const world = new World(2, { requestsPerMinute: 600 });
  await world.pass(10_000);
  expect(await world.admit(0)).not.toBeInstanceOf(LimitError);
  world.store.lose();
  await world.pass(200);
  world.store.comeBack({ isEmpty: false });
  for (let at = 0; at < 300; at++) expect(await world.admit(1)).not.toBeInstanceOf(LimitError);
});

test("what asks for less than a share is never refused, whenever the store comes and goes", async () => {
  const worlds = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    perMinute: fc.integer({ min: 4, max: 600 }),
    storms: fc.array(fc.record({ node: fc.nat({ max: 3 }), isLost: fc.boolean() }), {
      maxLength: 30,
    }),
  });
  await fc.assert(
    fc.asyncProperty(worlds, async ({ count, perMinute, storms }) => {
      const world = new World(count, { requestsPerMinute: perMinute, tokensPerMinute: perMinute });
      for (const { node, isLost } of storms) {
        if (isLost === world.store.isUp) {
          if (isLost) world.store.lose();
          else world.store.comeBack({ isEmpty: true });
        }
        const outcome = await world.admit(node);
        expect(outcome).not.toBeInstanceOf(LimitError);
        world.open.pop()?.admission.spend(1);
        await world.pass(Math.ceil((60_000 / perMinute) * count) + 1);
      }
    }),
    { numRuns: 40 },
  );
});

test("places are never more than the limit while the store is there, and none stays behind", async () => {
  const worlds = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    concurrency: fc.integer({ min: 1, max: 8 }),
    steps: fc.array(calmSteps, { maxLength: 50 }),
  });
  await fc.assert(
    fc.asyncProperty(worlds, async ({ count, concurrency, steps }) => {
      const world = new World(count, { concurrency });
      for (const step of steps) {
        await play(world, step);
        expect(world.open.length).toBeLessThanOrEqual(concurrency);
      }
      while (world.open.length > 0) world.release(0);
      await world.pass(20);
      for (let at = 0; at < concurrency; at++) {
        expect(await world.admit(count - 1)).not.toBeInstanceOf(LimitError);
      }
    }),
    { numRuns: 60 },
  );
});

test("what a node took by its share while it was cut off stands in everybody's way", async () => {
  const world = new World(3, { concurrency: 4 });
  for (const node of [0, 0, 1, 1]) expect(await world.admit(node)).not.toBeInstanceOf(LimitError);
  world.lenders[2]?.cut();
  expect(await world.admit(2)).not.toBeInstanceOf(LimitError);
  expect(await world.admit(2)).toBeInstanceOf(LimitError);
  world.lenders[2]?.mend();
  await world.pass(500);
  // Four of five are still there.
  world.release(0);
  await world.pass(500);
  for (const node of [0, 1, 2]) expect(await world.admit(node)).toBeInstanceOf(LimitError);
  world.release(0);
  await world.pass(500);
  expect(await world.admit(1)).not.toBeInstanceOf(LimitError);
  expect(world.open.length).toBe(4);
});

test("shares of places come to the limit, or to one for each node", async () => {
  for (const [concurrency, places] of [
    [4, 4],
    [3, 3],
    [1, 3],
    [8, 8],
  ] as const) {
    const world = new World(3, { concurrency });
    world.store.lose();
    for (const node of [0, 1, 2]) {
      for (let at = 0; at < concurrency; at++) await world.admit(node);
    }
    expect(world.open.length).toBe(places);
  }
});

test("tokens used on one node stand in the way on every other", async () => {
  const world = new World(2, { tokensPerMinute: 600 });
  expect(await world.admit(1)).not.toBeInstanceOf(LimitError);
  expect(await world.admit(0)).not.toBeInstanceOf(LimitError);
  world.open.pop()?.admission.spend(900);
  await world.pass(1400);
  const refused = await world.admit(1);
  expect(refused).toBeInstanceOf(LimitError);
  expect(refused).toHaveProperty(
    "message",
    "The limit of 600 tokens per minute for this API key is reached.",
  );
  await world.pass(30_000);
  expect(await world.admit(1)).not.toBeInstanceOf(LimitError);
});

test("a refusal takes nothing: the other subjects keep what they were lent", async () => {
  const world = new World(1, { requestsPerMinute: 2 });
  const narrow: LimitSubject = {
    scope: "group",
    id: "g",
    rule: { ...none, requestsPerMinute: 1 },
  };
  const [node] = world.nodes;
  await node?.admit([world.subject, narrow]);
  expect(Promise.resolve(node?.admit([world.subject, narrow]))).rejects.toBeInstanceOf(LimitError);
  await settle();
  expect(await world.admit(0)).not.toBeInstanceOf(LimitError);
  expect(await world.admit(0)).toBeInstanceOf(LimitError);
});

test("what is admitted alone is told: the common count has it when the store is back", async () => {
  const world = new World(2, { requestsPerMinute: 60 });
  for (let at = 0; at < 60; at++) await world.admit(0);
  world.store.lose();
  await world.pass(10_000);
  let alone = 0;
  for (const node of [0, 1]) {
    while (!((await world.admit(node)) instanceof LimitError)) alone += 1;
  }
  // Nothing was left to start with; half of a request a second came to each.
  expect(alone).toBeGreaterThanOrEqual(2);
  expect(alone).toBeLessThanOrEqual(12);
  world.store.comeBack({ isEmpty: false });
  await world.pass(200);
  let after = 0;
  while (!((await world.admit(0)) instanceof LimitError)) after += 1;
  expect(alone + after).toBeLessThanOrEqual(12);
});
