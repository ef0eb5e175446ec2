// A seed's world: who has how much, how often what goes wrong.
import type { LedgerLimits } from "../../src/quota/ledger.ts";
import type { CapMode } from "../../src/quota/cap.ts";
import type { CapTerm, Terms } from "./book.ts";
import type { Dice } from "./dice.ts";

export interface Weather {
  steps: number;
  limits: LedgerLimits;
  /** Whether a batch is sent within the turn of the event loop that asks for it. */
  isHasty: boolean;
  /** Balances that a process keeps when they are idle. */
  balancesMax: number;
  /** Chances of one step. */
  crash: number;
  outage: number;
  apply: number;
  /** Chance of a sync to fail on a disk that is otherwise healthy. */
  syncFault: number;
  /** Chance of a turn to bring a record that the database must refuse. */
  poison: number;
  /** Chance of a crash to take the machine's power with it. */
  powerLoss: number;
  /** Chance of the disk to be looked after by a step. */
  diskPace: number;
  /** Chance of the database's thread and of a sync to get on when the disk does. */
  threadPace: number;
  syncPace: number;
}

export function rollWeather(dice: Dice): Weather {
  return {
    steps: dice.between(15, 45),
    limits: { queueMax: dice.pick([5, 20, 1000]), stallMs: dice.pick([2000, 3_600_000]) },
    isHasty: dice.chance(0.5),
    balancesMax: dice.pick([2, 6, 1000]),
    crash: dice.pick([0.02, 0.05, 0.12]),
    outage: dice.pick([0, 0.05, 0.2]),
    apply: dice.pick([0, 0.1, 0.3]),
    syncFault: dice.pick([0, 0, 0.3]),
    poison: dice.pick([0, 0, 0.03]),
    powerLoss: dice.pick([0, 0.2, 0.8]),
    diskPace: dice.pick([0.2, 0.4, 0.6]),
    threadPace: dice.pick([0.03, 0.3, 1]),
    syncPace: dice.pick([0.1, 0.3, 0.8]),
  };
}

export const three = "acc_three";

/** Starting money of each account; the one for three requests gets its money by itself. */
export function rollGifts(dice: Dice): [account: string, micros: number][] {
  return [
    ["acc_poor", dice.between(1, 300)],
    ["acc_middling", dice.between(500, 5000)],
    ["acc_rich", dice.between(1_000_000, 5_000_000_000_000)],
  ];
}

export function rollTerms(dice: Dice): Terms {
  const accounts = ["acc_poor", "acc_middling", "acc_rich", "acc_unlimited", three].map((id) => ({
    id,
    unlimited: id === "acc_unlimited",
  }));
  const keys = accounts.flatMap(({ id: account }) => [
    { id: `key_free_of_${account}`, account, limit: null },
    {
      id: `key_limited_of_${account}`,
      account,
      limit: account === three ? null : dice.between(0, 2000),
    },
  ]);
  return { accounts, keys, caps: [] };
}

const modes: readonly CapMode[] = ["hard", "stop", "watch", "hard", "stop"];

/** Up to five caps for each account; those of the account for three are ample. */
export function rollCapTerms(dice: Dice, { accounts }: Terms): CapTerm[] {
  return accounts.flatMap(({ id: account }) =>
    modes.slice(0, dice.between(0, modes.length)).map((mode, at) => ({
      id: `bud_${at}/${account}@0`,
      account,
      mode,
      limit: account === three ? 1_000_000 : dice.between(0, 3000),
    })),
  );
}
