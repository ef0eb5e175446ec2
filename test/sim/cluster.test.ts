// The ledger of many nodes under thousands of seeds of crashes, freezes, and turns that come late,
// twice or never, compared with the book after every step; and the same for builds that are broken
// on purpose.
//
//   SIM_SEEDS=100000 bun test test/sim/cluster.test.ts     runs more seeds than the usual 150
//   SIM_SEED=123 bun test test/sim/cluster.test.ts         replays one seed
import { expect, test } from "bun:test";
import type { ClusterFlaws } from "./cluster/cluster-world.ts";
import { simulateCluster } from "./cluster/simulate-cluster.ts";

/** Every mutant below is caught within the first ten, and has to be within these. */
const seedsUsual = 150;
const timeoutMs = 3_600_000;

const { SIM_SEED, SIM_SEEDS } = process.env;
const firstSeed = Number(SIM_SEED ?? 0);
const seedCount = SIM_SEED === undefined ? Number(SIM_SEEDS ?? seedsUsual) : 1;

test(
  "no seed breaks a promise of the ledger of many nodes",
  () => {
    const startedAtMs = performance.now();
    const sums = { admitted: 0, refused: 0, acknowledged: 0, crashes: 0 };
    for (let seed = firstSeed; seed < firstSeed + seedCount; seed++) {
      const counts = simulateCluster(seed);
      sums.admitted += counts.admitted;
      sums.refused += counts.refused;
      sums.acknowledged += counts.acknowledged;
      sums.crashes += counts.crashes;
    }
    const perSecond = Math.round((seedCount * 1000) / (performance.now() - startedAtMs));
    console.log(`${seedCount} seeds, ${perSecond} a second: ${JSON.stringify(sums)}`);
    expect(sums.acknowledged).toBeGreaterThan(seedCount);
  },
  timeoutMs,
);

const mutants: Readonly<Record<string, ClusterFlaws>> = {
  "a node acknowledges before the commit": { acknowledgesEarly: true },
  "money is lent without being taken": { lendsWithoutTaking: true },
  "what a dead node had is folded twice": { foldsTwice: true },
  "turns have no number": { ignoresNumbers: true },
  "a turn that comes again passes for a new one": { hidesRepeats: true },
  "holds that nobody waits for are never written": { leavesHoldsUnwritten: true },
  "what a dead node had of caps is forgotten": { forgetsCapsOfDead: true },
  "a hold of several caps forgets one": { forgetsCap: true },
  "an end frees a cap's part of a hold twice": {
    wrongMovement({ caps: [cap], micros }) {
      if (cap) cap.heldMicros -= micros;
    },
  },
  "a charge is forgotten by one of its caps": {
    wrongMovement({ caps: [cap], micros }) {
      if (cap) cap.spentMicros -= Math.min(micros, cap.spentMicros);
    },
  },
  "a slice has a micro more than it was lent": {
    wrongMovement: ({ account }) => void account.availableMicros++,
  },
  "an end frees the account's part of a hold twice": {
    wrongMovement({ account, micros }) {
      account.availableMicros += micros;
      account.heldMicros -= micros;
    },
  },
  "an end frees the key's part of a hold twice": {
    wrongMovement: ({ key, micros }) => void (key.heldMicros -= micros),
  },
  "an end counts as written twice": {
    wrongMovement: ({ account, micros }) => void (account.unwrittenMicros -= micros),
  },
};

for (const [name, flaws] of Object.entries(mutants)) {
  test(
    `the simulation of many nodes catches it when ${name}`,
    () => {
      let caught: string | null = null;
      for (let seed = 0; caught === null && seed < seedsUsual; seed++) {
        try {
          simulateCluster(seed, flaws);
        } catch (error) {
          caught = String(error);
        }
      }
      console.log(`caught: ${caught?.slice(0, 160)}`);
      expect(caught).not.toBeNull();
    },
    timeoutMs,
  );
}
