// The stretch of time that a page is about, as it stands in the address.
import { computed } from "@preact/signals";
import { query, setQuery } from "./place.ts";

/** Seconds of each range, and of one step in its charts. */
export const ranges = {
  "1h": { seconds: 3600, step: 60 },
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

function isRange(text: string): text is Range {
  return text in ranges;
}

export const range = computed<Range>(() => {
  const text = query.value.get("range") ?? "";
  return isRange(text) ? text : "24h";
});

export function setRange(next: Range): void {
  setQuery({ range: next === "24h" ? null : next, cursor: null });
}

/** Whole steps, of which the last is still under way; `back` goes so many ranges into the past. */
export function spanOf(of: Range, back = 0, nowMs = Date.now()): Span {
  const { seconds, step } = ranges[of];
  const to = Math.ceil(nowMs / 1000 / step) * step - back * seconds;
  return { from: to - seconds, to, step };
}
