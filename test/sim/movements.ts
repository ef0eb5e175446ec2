// Movements of money that are right, with where they lead, and wrong ones, which are refused before
// anything has moved.
import type { AccountId, KeyId } from "../../src/core/ids.ts";
import type { AccountBalance, KeyBalance, Wallet } from "../../src/quota/balance.ts";
import { freshCap, type CapBalance } from "../../src/quota/cap.ts";
import type * as movement from "../../src/quota/movement.ts";

export type Movement = Pick<
  typeof movement,
  | "takeHold"
  | "assertCovered"
  | "noteWritten"
  | "settleHold"
  | "moveSpent"
  | "moveCost"
  | "moveGranted"
>;

type Move = (movement: Movement, wallet: Wallet) => void;

/**
 * 100 granted: 60 available, 30 held, of which 20 are unwritten, 10 spent; 100 for the key. Of each
 * cap there is plenty.
 */
export function purseOf(changes: Partial<AccountBalance & KeyBalance> = {}): Wallet {
  const shared = { uses: 1, isForgotten: false, heldMicros: 30, spentMicros: 10 };
  const account = {
    ...shared,
    id: "acc_1" as AccountId,
    unlimited: false,
    grantedMicros: 100,
    availableMicros: 60,
    unwrittenMicros: 20,
  };
  const key = {
    ...shared,
    id: "key_1" as KeyId,
    accountId: account.id,
    limitMicros: 100,
    unwrittenMicros: 20,
  };
  for (const balance of [account, key]) {
    for (const [name, value] of Object.entries(changes)) {
      if (name in balance) Object.defineProperty(balance, name, { value, writable: true });
    }
  }
  return { account, key, caps: [ample("hard"), ample("stop")] };
}

function capOf(mode: CapBalance["mode"]): CapBalance {
  const terms = { id: `bud_${mode}@0`, budgetId: `bud_${mode}`, name: mode, mode };
  const window = { subjectId: null, limitMicros: 100, openedAtMs: 0, closesAtMs: null };
  const cap = freshCap({ ...terms, ...window, accountId: "acc_1" as AccountId });
  return { ...cap, uses: 1, heldMicros: 30, spentMicros: 10, unwrittenMicros: 20 };
}

function ample(mode: CapBalance["mode"]): CapBalance {
  const used = { heldMicros: 130, spentMicros: 110, unwrittenMicros: 120 };
  return { ...capOf(mode), limitMicros: 1000, ...used };
}

/** A wallet whose last cap is the one that has something wrong. */
function amiss({ account, key }: Wallet, changes: Partial<CapBalance>): Wallet {
  return { account, key, caps: [ample("stop"), { ...capOf("hard"), ...changes }] };
}

const written = { micros: 10, isUnwritten: false };
const unwritten = { micros: 10, isUnwritten: true };

/** The cap of the wallet that is of the mode. */
function capIn({ caps }: Wallet, wanted: CapBalance["mode"]): CapBalance {
  const cap = caps.find(({ mode }) => mode === wanted);
  if (!cap) throw new Error(`no cap of the wallet is ${wanted}`);
  return cap;
}

interface RightMove {
  move: Move;
  /**
   * Available, held, spent, unwritten, granted of the account; held, spent, unwritten of the key,
   * as of each cap.
   */
  leadsTo: readonly number[];
  /** Held, spent, unwritten of each cap, where they do not move as the key does. */
  capsLeadTo?: readonly number[];
}

export const right: Readonly<Record<string, RightMove>> = {
  "a hold is taken": {
    move: ({ takeHold }, wallet) => takeHold(wallet, 5),
    leadsTo: [55, 35, 10, 25, 100, 35, 10, 25],
  },
  "a hold goes into a batch": {
    move: ({ noteWritten }, wallet) => noteWritten(wallet, 5),
    leadsTo: [60, 30, 10, 15, 100, 30, 10, 15],
  },
  "a hold that is written is charged": {
    move: ({ settleHold }, wallet) => settleHold({ ...wallet, ...written }, 4),
    leadsTo: [66, 20, 14, 20, 100, 20, 14, 20],
  },
  "a hold that is not written is given back": {
    move: ({ settleHold }, wallet) => settleHold({ ...wallet, ...unwritten }, 0),
    leadsTo: [70, 20, 10, 10, 100, 20, 10, 10],
  },
  "a charge goes past its hold": {
    move: ({ settleHold }, wallet) => settleHold({ ...wallet, ...written }, 15),
    leadsTo: [55, 20, 25, 20, 100, 20, 25, 20],
  },
  "a task costs more than it held": {
    move: ({ moveSpent }, wallet) => moveSpent(wallet, 7),
    leadsTo: [53, 30, 17, 20, 100, 30, 17, 20],
  },
  "that is undone": {
    move: ({ moveSpent }, wallet) => moveSpent(wallet, -7),
    leadsTo: [67, 30, 3, 20, 100, 30, 3, 20],
  },
  "a cost counts under a cap that no hold was taken for": {
    move: ({ moveCost }, wallet) => moveCost(capIn(wallet, "stop"), 7),
    leadsTo: [60, 30, 10, 20, 100, 30, 10, 20],
    capsLeadTo: [130, 110, 120, 130, 117, 120],
  },
  "credit comes": {
    move: ({ moveGranted }, { account }) => moveGranted(account, 9),
    leadsTo: [69, 30, 10, 20, 109, 30, 10, 20],
  },
  "credit goes": {
    move: ({ moveGranted }, { account }) => moveGranted(account, -60),
    leadsTo: [0, 30, 10, 20, 40, 30, 10, 20],
  },
};

export const wrong: Readonly<Record<string, { move: Move; of?: Parameters<typeof purseOf>[0] }>> = {
  "a hold of less than nothing": { move: ({ takeHold }, wallet) => takeHold(wallet, -1) },
  "a hold of no number": { move: ({ takeHold }, wallet) => takeHold(wallet, Number.NaN) },
  "a hold with a key of somebody else": {
    of: { accountId: "acc_2" as AccountId },
    move: ({ takeHold }, wallet) => takeHold(wallet, 1),
  },
  "a hold that the account does not cover": {
    of: { limitMicros: null },
    move: ({ takeHold }, wallet) => takeHold(wallet, 61),
  },
  "a hold that the key does not cover": {
    of: { limitMicros: 50 },
    move: ({ takeHold }, wallet) => takeHold(wallet, 11),
  },
  "a hold of an account that has more than was granted": {
    of: { availableMicros: 61 },
    move: ({ takeHold }, wallet) => takeHold(wallet, 1),
  },
  "a charge of less than nothing": {
    move: ({ settleHold }, wallet) => settleHold({ ...wallet, ...written }, -1),
  },
  "an end of more than the account holds": {
    move({ settleHold }, wallet) {
      wallet.key.heldMicros = 40;
      settleHold({ ...wallet, ...written, micros: 31 }, 4);
    },
  },
  "an end of more than the key holds": {
    move({ settleHold }, wallet) {
      wallet.key.heldMicros = 9;
      settleHold({ ...wallet, ...written }, 4);
    },
  },
  "a charge that overdraws the account": {
    of: { limitMicros: null },
    move: ({ settleHold }, wallet) => settleHold({ ...wallet, ...written }, 71),
  },
  "a charge past the key's limit": {
    of: { limitMicros: 50 },
    move: ({ settleHold }, wallet) => settleHold({ ...wallet, ...written }, 21),
  },
  "an end of a hold that the account does not count as unwritten": {
    move({ settleHold }, wallet) {
      wallet.account.unwrittenMicros = 9;
      settleHold({ ...wallet, ...unwritten }, 4);
    },
  },
  "an end of a hold that the key does not count as unwritten": {
    move({ settleHold }, wallet) {
      wallet.key.unwrittenMicros = 9;
      settleHold({ ...wallet, ...unwritten }, 4);
    },
  },
  "an end in an account that has less than was granted": {
    of: { availableMicros: 59 },
    move: ({ settleHold }, wallet) => settleHold({ ...wallet, ...written }, 4),
  },
  "a hold under a cap of somebody else": {
    move: ({ takeHold }, wallet) => takeHold(amiss(wallet, { accountId: "acc_2" as AccountId }), 1),
  },
  "a hold that a hard cap does not cover": {
    move: ({ takeHold }, wallet) => takeHold(amiss(wallet, { limitMicros: 50 }), 11),
  },
  "an end of more than a cap holds": {
    move: ({ settleHold }, wallet) =>
      settleHold({ ...amiss(wallet, { heldMicros: 9 }), ...written }, 4),
  },
  "a charge past the limit of a hard cap": {
    move: ({ settleHold }, wallet) =>
      settleHold({ ...amiss(wallet, { limitMicros: 50 }), ...written }, 21),
  },
  "an end of a hold that a cap does not count as unwritten": {
    move: ({ settleHold }, wallet) =>
      settleHold({ ...amiss(wallet, { unwrittenMicros: 9 }), ...unwritten }, 4),
  },
  "more is undone than was spent under a cap": {
    move: ({ moveSpent }, wallet) => moveSpent(amiss(wallet, { spentMicros: 6 }), -7),
  },
  "a task costs more than a hard cap leaves": {
    move: ({ moveSpent }, wallet) => moveSpent(amiss(wallet, { limitMicros: 50 }), 11),
  },
  "a cost of less than nothing": {
    move: ({ moveCost }, wallet) => moveCost(capIn(wallet, "stop"), -1),
  },
  "a cost under a hard cap": { move: ({ moveCost }, wallet) => moveCost(capIn(wallet, "hard"), 1) },
  "more is undone than was spent": { move: ({ moveSpent }, wallet) => moveSpent(wallet, -11) },
  "a task costs more than the account has": {
    of: { limitMicros: null },
    move: ({ moveSpent }, wallet) => moveSpent(wallet, 61),
  },
  "a task costs more than the key may": {
    of: { limitMicros: 50 },
    move: ({ moveSpent }, wallet) => moveSpent(wallet, 11),
  },
  "a task costs something in an account whose sums are wrong": {
    of: { grantedMicros: 99 },
    move: ({ moveSpent }, wallet) => moveSpent(wallet, 1),
  },
  "more credit goes than is available": {
    move: ({ moveGranted }, { account }) => moveGranted(account, -61),
  },
  "credit comes to an account whose sums are wrong": {
    of: { grantedMicros: 99 },
    move: ({ moveGranted }, { account }) => moveGranted(account, 1),
  },
};
