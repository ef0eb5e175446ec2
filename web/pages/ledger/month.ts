// Months by their names.
import { entryOf, language } from "../../core/words.ts";

/** A month of UTC, such as 2026-11, by its name. */
export function monthName(month: string): string {
  const format = new Intl.DateTimeFormat(entryOf(language.value).locale, {
    year: "numeric",
    month: "long",
    timeZone: "UTC",
  });
  const atMs = Date.parse(`${month}-01`);
  return Number.isNaN(atMs) ? month : format.format(atMs);
}
