// Brings a checked asset to the upstream that will use it, and asks until that has taken it. What
// could not be asked is asked again, more and more slowly, and not for ever.
import { sleep, type Clock, type Timers } from "../core/clock.ts";
import type { Asset, AssetError, AssetPlace } from "./asset.ts";

/** Outcome of one call to an upstream; an unclear one is made again. */
export type AssetRegistration =
  /** No upstream of the group registers media. */
  | { kind: "unneeded" }
  | { kind: "placed"; place: AssetPlace }
  | { kind: "failed"; error: AssetError }
  | { kind: "unclear" };

export type Standing =
  | { kind: "processing" }
  | { kind: "active" }
  | { kind: "failed"; error: AssetError }
  | { kind: "unclear" };

/** The way to the upstreams, which knows their protocols. */
export interface Registrar {
  register(asset: Asset): Promise<AssetRegistration>;
  status(asset: Asset, place: AssetPlace): Promise<Standing>;
}

export interface PlacerPace {
  firstMs: number;
  mostMs: number;
}

interface PlacerNeeds {
  registrar: Registrar;
  clock: Clock;
  timers: Timers;
  pace: PlacerPace;
  /** Keeps the place, so that the next process need not register again. */
  placed(asset: Asset, place: AssetPlace): Promise<void>;
}

const paceGrowth = 1.5;
const patienceMs = 30 * 60_000;
const overdue: AssetError = {
  code: "UpstreamTimeout",
  message: "The upstream did not take the asset in time.",
};

/** The upstream's objection to it, or null when it may be used; throws when aborted. */
export async function placeAsset(
  needs: PlacerNeeds,
  asset: Asset,
  signal: AbortSignal,
): Promise<AssetError | null> {
  const { registrar, clock, timers, pace } = needs;
  const endsAtMs = clock.monotonicMs() + patienceMs;
  let { place } = asset;
  for (let delayMs = pace.firstMs; clock.monotonicMs() < endsAtMs; delayMs *= paceGrowth) {
    const step = await (place ? registrar.status(asset, place) : registrar.register(asset));
    signal.throwIfAborted();
    if (step.kind === "unneeded" || step.kind === "active") return null;
    if (step.kind === "failed") return step.error;
    if (step.kind === "placed") {
      place = step.place;
      await needs.placed(asset, place);
    }
    await sleep(timers, Math.min(delayMs, pace.mostMs));
    signal.throwIfAborted();
  }
  return overdue;
}
