// The stretch of time that a page is about, as it stands in the address: a range up to now, or days
// that were chosen, from the first to the day after the last.
import { computed } from "@preact/signals";
import { query, setQuery } from "../place.ts";
import { dayAfter, daysSpan, isDay, ranges, spanOf, type Range, type Span } from "./span.ts";
import { dayOf, startOfDay } from "./zone.ts";

export { isDay, ranges, spanOf, type Range, type Span };

function isRange(text: string): text is Range {
  return text in ranges;
}

interface Days {
  from: string;
  /** Included. */
  last: string;
}

/** Days that were chosen; one bound alone reaches up to today, or back by a month. */
export const days = computed<Days | null>(() => {
  const [from, to] = [query.value.get("from"), query.value.get("to")];
  if (!isDay(from) && !isDay(to)) return null;
  const last = isDay(to) ? dayAfter(to, -1) : dayOf(Date.now() / 1000);
  const first = isDay(from) ? from : dayAfter(last, -29);
  return { from: first, last: last < first ? first : last };
});

export const range = computed<Range>(() => {
  const text = query.value.get("range") ?? "";
  return isRange(text) ? text : "24h";
});

export function setRange(next: Range): void {
  const rest = { from: null, to: null, cursor: null, p: null };
  setQuery({ range: next === "24h" ? null : next, ...rest });
}

/** Takes the days of the range that is shown, for both ends to be moved. */
export function chooseDays(): void {
  const { from } = shownSpan();
  const rest = { range: null, cursor: null, p: null };
  setQuery({ from: dayOf(from), to: dayAfter(dayOf(Date.now() / 1000), 1), ...rest });
}

/** The stretch that is shown, or the one so many times its length before. */
export function shownSpan(back = 0): Span {
  if (!days.value) return spanOf(range.value, back);
  const { from, to, step } = daysSpan(days.value.from, days.value.last, startOfDay);
  const length = to - from;
  return { from: from - back * length, to: to - back * length, step };
}

/** The same stretch in the address of another page: begins with `&`, or is empty. */
export function rangeQuery(): string {
  if (days.value) return `&from=${days.value.from}&to=${dayAfter(days.value.last, 1)}`;
  return range.value === "24h" ? "" : `&range=${range.value}`;
}

/** Days of the address as moments for lists that filter by them. */
export function startAsked(text: string | null): string | null {
  return isDay(text) ? String(startOfDay(text)) : text;
}
