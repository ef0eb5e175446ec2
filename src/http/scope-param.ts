// The parameter by which a call is made in the scope of an organisation.
import type { QueryEntry, ReferenceEntry } from "../core/reference-entry.ts";
import { text } from "../core/schema-words.ts";
import type { Seats } from "../identity/role.ts";

export const scopeParam = "as";

/** The entry of a row that may be called in a scope, with the parameter for it. */
export function withScope<Entry extends ReferenceEntry>(entry: Entry, seats: Seats): Entry {
  const scope: QueryEntry = {
    [scopeParam]: {
      schema: text(),
      description: `Of this organisation, by its id, for those who are its ${list(seats)}.`,
    },
  };
  return { ...entry, query: { ...entry.query, ...scope } };
}

function list(seats: Seats): string {
  const last = seats.at(-1) ?? "";
  return seats.length < 2 ? last : `${seats.slice(0, -1).join(", ")} or ${last}`;
}
