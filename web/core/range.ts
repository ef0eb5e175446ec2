// The stretch of time that a page is about, as it stands in the address.
import { computed } from "@preact/signals";
import { query, setQuery } from "./place.ts";
import { ranges, spanOf, type Range, type Span } from "./span.ts";

export { ranges, spanOf, type Range, type Span };

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
