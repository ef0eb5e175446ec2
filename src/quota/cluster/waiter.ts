// Requests that wait for more than their slices cover.
import type { Slice } from "./slice.ts";

/** A request that its slices do not cover. */
export interface Waiter {
  slices: readonly Slice[];
  /** Lowered to what there is, where less will do. */
  micros: number;
  leastMicros: number;
  sinceMs: number;
  /** The shortfall is part of what is asked for. */
  isCounted: boolean;
  /** The turn under way carries that: its answer is about this one. */
  isAsked: boolean;
  /** Those of the slices of which it is certain that they have not enough. */
  lacking: readonly Slice[];
  /** Takes what it waited for, in the step in which it is there. */
  serve(): void;
  /** It is certain that there is not enough. */
  refuse(): void;
  giveUp(error: Error): void;
}

export function isCovered({ slices, micros }: Waiter): boolean {
  return slices.every((slice) => slice.covers(micros));
}
