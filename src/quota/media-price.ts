// What media cost: by the second, by the image or by the call, refined by rules.
import type { ListedPrice, MediaRule } from "../catalogue/model.ts";
import { assert } from "../core/assert.ts";
import { micros, microsMax, multiplyPrice, type Micros } from "../core/money.ts";

/** What a price rule may ask about. */
export interface MediaFacts {
  size: string | null;
  quality: string | null;
  resolution: string | null;
  tier: string | null;
}

export interface MediaPrice {
  secondMicros: Micros;
  imageMicros: Micros;
  /** Charged once for each job. */
  callMicros: Micros;
}

/** Null when nothing of the price speaks of this kind of media. */
export function snapshotMedia(
  listed: ListedPrice,
  facts: MediaFacts,
  { kind, multiplierPpm }: { kind: "image" | "video"; multiplierPpm: number },
): MediaPrice | null {
  const rule = listed.rules?.find((one) => holds(one, facts));
  const second = rule?.secondMicros ?? listed.secondMicros;
  const image = rule?.imageMicros ?? listed.imageMicros;
  const call = rule?.callMicros ?? listed.callMicros;
  const perUnit = kind === "video" ? second : image;
  if (perUnit === null && call === null) return null;
  const at = (amount: number | null) => multiplyPrice(micros(amount ?? 0), multiplierPpm);
  return { secondMicros: at(second), imageMicros: at(image), callMicros: at(call) };
}

const millisPerSecond = 1000;

/** A part of a second is charged as what it is, and a part of a micro as a whole one. */
export function videoCost({ secondMicros, callMicros }: MediaPrice, seconds: number): Micros {
  assert(Number.isFinite(seconds) && seconds >= 0, `not a length in seconds: ${seconds}`);
  const millis = BigInt(Math.round(seconds * millisPerSecond));
  const product = millis * BigInt(secondMicros);
  const whole = (product + BigInt(millisPerSecond - 1)) / BigInt(millisPerSecond);
  const total = whole + BigInt(callMicros);
  return total > BigInt(microsMax) ? microsMax : micros(Number(total));
}

function holds(rule: MediaRule, facts: MediaFacts): boolean {
  return (
    matches(rule.size, facts.size) &&
    matches(rule.quality, facts.quality) &&
    matches(rule.resolution, facts.resolution) &&
    matches(rule.tier, facts.tier)
  );
}

function matches(wanted: string | undefined, actual: string | null): boolean {
  return wanted === undefined || wanted.toLowerCase() === actual?.toLowerCase();
}
