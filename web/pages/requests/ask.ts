// Query to the log, from the address.
import { withQuery } from "../../core/api.ts";
import { query } from "../../core/place.ts";
import { days, shownSpan } from "../../core/time/range.ts";
import { scoped } from "../../core/session.ts";

const pageSize = 50;

/** Filters of the log that stand in the address by their own names. */
export const filterNames = [
  "model",
  "key",
  "channel",
  "account",
  "group",
  "format",
  "label",
  "error_code",
  "stream",
  "attempts_min",
  "latency_min",
  "micros_min",
] as const;
export type FilterName = (typeof filterNames)[number];

export type Wanted = Record<string, string | null>;

/** The search is an id, a status or a model, by its looks. */
function soughtOf(text: string): Wanted {
  if (/^(?:req|task)_/.test(text)) return { request_id: text };
  return /^\d{3}$/.test(text) ? { status: text } : { model: text };
}

function outcomeOf(word: string | null): Wanted {
  return word === "failed" ? { failed: "true" } : { outcome: word };
}

/** Without the time: of this the CSV and the live rows are too. */
export function wantedRows(): Wanted {
  const search = query.value;
  const filters = filterNames.map((name) => [name, search.get(name)] as const);
  const text = search.get("q")?.trim() ?? "";
  return {
    ...Object.fromEntries(filters),
    ...outcomeOf(search.get("outcome")),
    ...(text !== "" && soughtOf(text)),
  };
}

/** That of the chart, so that both are of the same requests; a range goes on as one looks. */
function spanAsked(): { from: number; to: number | null } {
  const { from, to } = shownSpan();
  return { from, to: days.value ? to : null };
}

export function wantedPage(): Record<string, string | number | null> {
  const cursor = query.value.get("cursor");
  const wanted = wantedRows();
  // An id is looked for in all of the log.
  const span = wanted["request_id"] ? {} : spanAsked();
  return { ...wanted, ...span, cursor, page_size: pageSize };
}

export function rowsPath(): string {
  return withQuery(scoped("/api/log"), wantedPage());
}

export function csvPath(): string {
  return withQuery(`${scoped("/api/log")}.csv`, { ...wantedRows(), ...spanAsked() });
}

const summed = ["model", "key", "channel", "account", "group", "format", "outcome", "failed"];

/** Filters of the sums over time; null where one of them is not known there. */
export function wantedSums(): Wanted | null {
  const chosen = Object.entries(wantedRows()).filter(([, value]) => value !== null);
  return chosen.every(([name]) => summed.includes(name)) ? Object.fromEntries(chosen) : null;
}
