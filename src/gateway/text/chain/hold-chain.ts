// The hold of a virtual model: what the dearest of its members can cost. Where the wallet does not
// cover that one, it is left out, and the others are held for.
import { micros, type Micros } from "../../../core/money.ts";
import type { Ask, Ledger, Reservation, Shrink } from "../../../quota/ledger.ts";
import type { RequestBound } from "../../../quota/estimate.ts";
import type { PriceSnapshot } from "../../../quota/price.ts";
import { Shortage } from "../../../quota/shortage.ts";
import type { WalletFit } from "../../../quota/wallet-fit.ts";
import type { Member } from "./chain.ts";

/** The cost that one member can have. */
export interface MemberHold {
  member: Member;
  price: PriceSnapshot;
  bound: RequestBound;
  micros: Micros;
  shrink: WalletFit | undefined;
}

/** A hold covers all of them while it covers the dearest. */
export function dearestOf(holds: readonly MemberHold[]): MemberHold | undefined {
  return holds.reduce<MemberHold | undefined>(
    (most, one) => (most && most.micros >= one.micros ? most : one),
    undefined,
  );
}

/** Less than the whole, where each of them can do with less. */
export class ChainFit implements Shrink {
  readonly #holds: readonly MemberHold[];

  constructor(holds: readonly MemberHold[]) {
    this.#holds = holds;
  }

  get leastMicros(): Micros {
    return mostOf(this.#holds.map((one) => one.shrink?.leastMicros ?? one.micros));
  }

  within(roomMicros: number): Micros | null {
    const parts: Micros[] = [];
    for (const one of this.#holds) {
      const part = one.micros <= roomMicros ? one.micros : one.shrink?.within(roomMicros);
      if (part === null || part === undefined) return null;
      parts.push(part);
    }
    return mostOf(parts);
  }
}

function mostOf(amounts: readonly Micros[]): Micros {
  return micros(Math.max(...amounts));
}

/** The part of the hold that a member may use. */
export function boundWithin({ micros: whole, bound, shrink }: MemberHold, held: Micros) {
  return held < whole && shrink ? shrink.boundOf(held) : bound;
}

/** Hold of a virtual model, with the members that it is for. */
export interface ChainHold {
  ask: Ask;
  members: readonly MemberHold[];
}

interface Admitted {
  hold: ChainHold;
  reservation: Reservation;
}

interface ChainAdmission {
  /** The hold of fewer members. */
  holdOf(members: readonly MemberHold[]): ChainHold;
  /** Asks for one alone, by all that is done before a 402. */
  admitLast(member: MemberHold): Promise<Admitted>;
}

/** Asks again without the dearest member, while the wallet does not cover it and others stay. */
export async function admitChain(
  ledger: Ledger,
  wanted: ChainHold,
  { holdOf, admitLast }: ChainAdmission,
): Promise<Admitted> {
  for (let hold = wanted; ;) {
    const { ask, members } = hold;
    const [first, ...others] = members;
    if (first && others.length === 0) return await admitLast(first);
    try {
      return { hold, reservation: ledger.tryAdmit(ask) ?? (await ledger.admit(ask)) };
    } catch (error) {
      const dearest = dearestOf(members);
      if (!dearest || !(error instanceof Shortage)) throw error;
      dearest.member.fate = "unaffordable";
      hold = holdOf(members.filter((one) => one !== dearest));
    }
  }
}
