// A vendor's usage reports, as far as they tell of the channel.
import type { Clock } from "../core/clock.ts";
import type { Channel } from "./channel.ts";

export interface UsageDoubtNeeds {
  clock: Clock;
  /** Told of each usage that cannot be. */
  doubted(channel: Channel): void;
  /** Told of each reply that names another model than was asked for. */
  otherModel(channel: Channel, model: string): void;
}

/** Some in a row that cannot be put the channel aside; one that can ends the row. */
export function judgeUsage(needs: UsageDoubtNeeds, channel: Channel, isPlausible: boolean): void {
  if (isPlausible) return channel.health.trusted();
  channel.implausible++;
  channel.health.doubted(needs.clock.monotonicMs());
  needs.doubted(channel);
}

/** An answer reported as nothing is charged by our own count, so no channel is put aside. */
export function noteMissingUsage(needs: UsageDoubtNeeds, channel: Channel): void {
  channel.implausible++;
  needs.doubted(channel);
}
