// What lists are searched by: the beginning of a name, and words of which only some are known.
import { invalid } from "../core/errors.ts";
import type { QueryEntry } from "../core/reference-entry.ts";
import { text, word } from "../core/schema-words.ts";

const prefixCharactersMax = 64;

export const byName: QueryEntry = {
  q: { schema: text(), description: "How the name begins, in any capitals." },
};

export const byGroup: QueryEntry = { group: { schema: text(), description: "Of this group." } };

export const byStatus: QueryEntry = { status: { schema: word("enabled", "disabled") } };

/** The beginning of a name, or nothing of it. */
export function readPrefix(query: URLSearchParams): { prefix?: string } {
  const prefix = query.get("q") ?? "";
  if (prefix.length > prefixCharactersMax) {
    throw invalid("q", `must have at most ${prefixCharactersMax} characters`);
  }
  return prefix === "" ? {} : { prefix };
}

/** One of the words, or null where none is said. */
export function readWord<Word extends string>(
  query: URLSearchParams,
  name: string,
  words: readonly Word[],
): Word | null {
  const said = query.get(name);
  if (said === null || said === "") return null;
  const known = words.find((one) => one === said);
  if (known === undefined) throw invalid(name, `must be one of ${words.join(", ")}`);
  return known;
}
