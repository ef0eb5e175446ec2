// Stretches of time, in whole steps.

/** Seconds of each range, and of one step in its charts. */
export const ranges = {
  "1h": { seconds: 3600, step: 900 },
  "24h": { seconds: 86_400, step: 3600 },
  "7d": { seconds: 604_800, step: 21_600 },
  "30d": { seconds: 2_592_000, step: 86_400 },
  "90d": { seconds: 7_776_000, step: 86_400 },
} as const;
export type Range = keyof typeof ranges;

export interface Span {
  /** Unix seconds. */
  from: number;
  /** The first moment after. */
  to: number;
  step: number;
}

/** Whole steps, of which the last is still under way; `back` goes so many ranges into the past. */
export function spanOf(of: Range, back = 0, nowMs = Date.now()): Span {
  const { seconds, step } = ranges[of];
  const to = Math.ceil(nowMs / 1000 / step) * step - back * seconds;
  return { from: to - seconds, to, step };
}
