// Prices of surcharges when a request is admitted, the most they can come to, and the sum they came
// to by what the reply tells.
import type { ListedPrice } from "../catalogue/model.ts";
import {
  listedFactors,
  listedLongContext,
  listedToolMicros,
  type LongContext,
  type TokenFactor,
} from "../catalogue/surcharges.ts";
import { micros, multiplyPrice, zeroMicros, type Micros } from "../core/money.ts";
import {
  isLower,
  isPlain,
  surchargeKey,
  valueName,
  type Surcharge,
  type SurchargeUse,
} from "../formats/surcharge.ts";

/** One that has a price. */
export interface PricedSurcharge {
  surcharge: Surcharge;
  /** For one call of a tool. */
  callMicros: Micros;
  factor: TokenFactor | null;
}

interface SurchargeListing {
  /** The model's own price, and the catalogue's for what that does not name. */
  listed: ListedPrice;
  shipped: ListedPrice | undefined;
  multiplierPpm: number;
}

/** Null when nothing names a price for it: then it is not free, but not to be had. */
export function priceSurcharge(
  surcharge: Surcharge,
  listing: SurchargeListing,
): PricedSurcharge | null {
  const { kind, name } = surcharge;
  const { listed, shipped, multiplierPpm } = listing;
  const priced = freeSurcharge(surcharge);
  switch (kind) {
    case "hosted_tools": {
      const own = ownOf(listed.toolMicros, name) ?? ownOf(shipped?.toolMicros, name);
      const amount = own ?? listedToolMicros.get(name);
      if (amount === undefined) return null;
      return { ...priced, callMicros: multiplyPrice(micros(amount), multiplierPpm) };
    }
    case "audio":
      return listed.audioOutputMicrosPerMillion === null ? null : priced;
    case "cache_1h":
    case "long_context":
      return priced;
    default: {
      const factor = ownOf(listed.factors, name) ?? listedFactors.get(name);
      return factor ? { ...priced, factor } : null;
    }
  }
}

/** The names are a client's, and every object has some that nobody gave it. */
function ownOf<Value>(
  values: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined;
}

/** A surcharge of a model that is free as a whole. */
export function freeSurcharge(surcharge: Surcharge): PricedSurcharge {
  return { surcharge, callMicros: zeroMicros, factor: null };
}

/** Longer input is dearer where the model's price says so, or where the client asks for it. */
export function longContextOf(
  { longContext = null }: ListedPrice,
  priced: readonly PricedSurcharge[],
): LongContext | null {
  const isAsked = priced.some(({ surcharge }) => surcharge.kind === "long_context");
  return longContext ?? (isAsked ? listedLongContext : null);
}

/** A request goes by one wire, so the hold is that of the dearest. */
export function callsHold(priced: readonly PricedSurcharge[]): number {
  const wires = Map.groupBy(priced, ({ surcharge }) => surcharge.wire);
  return Math.max(0, ...[...wires.values()].map(wireHold));
}

/** Tools that share one bound cannot all use it up, so the dearest of them does. */
function wireHold(priced: readonly PricedSurcharge[]): number {
  let total = 0;
  let shared = 0;
  for (const { surcharge, callMicros } of priced) {
    if (!surcharge.calls) continue;
    const most = callMicros * surcharge.calls.max;
    if (surcharge.calls.isShared) shared = Math.max(shared, most);
    else total += most;
  }
  return total + shared;
}

/** After each call of a tool the model may read all again, with what the call has brought. */
export function readingsOf(priced: readonly PricedSurcharge[]): number {
  let total = 0;
  let shared = 0;
  let most = Infinity;
  for (const { surcharge } of priced) {
    const { calls } = surcharge;
    if (!calls?.readsMore) continue;
    if (calls.isShared) shared = Math.max(shared, calls.max);
    else total += calls.max;
    most = Math.min(most, calls.readingsMax ?? Infinity);
  }
  return Math.min(total + shared, most);
}

/** Surcharges that were sent, and the reply's word on them. */
export interface SentSurcharges {
  sent: readonly Surcharge[];
  use: SurchargeUse | null;
  /** The count of pictures that came, from a model that draws. */
  images?: number;
}

interface CalledTool {
  priced: PricedSurcharge;
  calls: number;
}

export function calledTools(
  priced: readonly PricedSurcharge[],
  { sent, use }: SentSurcharges,
): CalledTool[] {
  const called: CalledTool[] = [];
  const sentKeys = new Set(sent.map(surchargeKey));
  const paid = new Set<string>();
  // Nobody knows which of two it was that are counted as one: the dearer one is paid.
  for (const one of priced.toSorted((a, b) => b.callMicros - a.callMicros)) {
    const { calls } = one.surcharge;
    if (!calls || !isSent(one, sentKeys)) continue;
    const names = calls.counted.filter((name) => !paid.has(name));
    for (const name of names) paid.add(name);
    const callCount = calls.counted.length === 0 ? calls.max : (use?.callsOf(names) ?? 0);
    // Calls past the bound cannot have been.
    const count = Math.min(callCount, calls.max);
    if (count > 0) called.push({ priced: one, calls: count });
  }
  return called;
}

/** A surcharge that was put into another dialect is another object there. */
function isSent({ surcharge }: PricedSurcharge, sentKeys: ReadonlySet<string>): boolean {
  return sentKeys.has(surchargeKey(surcharge));
}

/** A vendor may give less than was asked for, and says so. */
export function givenFactors(
  priced: readonly PricedSurcharge[],
  { sent, use }: SentSurcharges,
): PricedSurcharge[] {
  const sentKeys = new Set(sent.map(surchargeKey));
  return priced.filter((one) => {
    const { factor, surcharge } = one;
    if (!factor || !isSent(one, sentKeys)) return false;
    const grade = use?.given(surcharge.kind) ?? null;
    // Less is charged only where the vendor says that it gave it.
    if (isLower(surcharge)) return grade !== null && isNamed(surcharge, grade);
    return grade === null || !isPlain(surcharge.kind, grade);
  });
}

function isNamed({ kind, name }: Surcharge, value: string): boolean {
  return valueName(kind, value) === name;
}

/** A factor that may be given or not is held as if it were not, so that the hold is the most. */
export function heldFactors(priced: readonly PricedSurcharge[]): TokenFactor[] {
  return priced.flatMap(({ surcharge, factor }) => {
    if (!factor || !isLower(surcharge)) return factor ?? [];
    const { inputPercent, outputPercent } = factor;
    return {
      inputPercent: Math.max(inputPercent, 100),
      outputPercent: Math.max(outputPercent, 100),
    };
  });
}
