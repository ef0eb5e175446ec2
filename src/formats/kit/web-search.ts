// The formats' common part of a search of the web that the vendor runs: how the wishes that go with
// it are read and written, and how an earlier search is told to a model that did not make it.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { SearchLocation, SearchPart, SearchWishes, WebSearch } from "../exchange.ts";
import { readText } from "./openai-exchange.ts";

export function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

const placeNames = ["city", "region", "country", "timezone"];

/** Null where nothing is said of the place. */
export function readLocation(value: unknown): SearchLocation | null {
  if (!isObject(value)) return null;
  const known = placeNames.flatMap((name) => {
    const text = readText(value[name]);
    return text ? [[name, text] as const] : [];
  });
  return known.length === 0 ? null : Object.fromEntries(known);
}

/** Wishes that cannot be said, in the client's names. */
export function unsaidWishes(
  search: WebSearch,
  lacking: readonly (keyof SearchWishes)[],
): string[] {
  return lacking.filter((wish) => isWished(search[wish])).map((wish) => search.names[wish]);
}

function isWished(value: SearchWishes[keyof SearchWishes]): boolean {
  return value !== null && !(Array.isArray(value) && value.length === 0);
}

const pagesShownMax = 50;

/**
 * An earlier search in words, as no vendor takes the traces of another's; null where it is not
 * known what was looked for or found.
 */
export function searchText({ queries, found: sources, fault }: SearchPart): string | null {
  if (queries.length === 0 && sources.length === 0) return null;
  const quoted = queries.map((query) => JSON.stringify(query)).join(", ");
  const head = quoted === "" ? "Searched the web" : `Searched the web for ${quoted}`;
  if (fault !== null) return `\n[${head}: ${fault}]\n`;
  const pages = sources
    .slice(0, pagesShownMax)
    .map(({ url, title }) => (title ? `- ${title} <${url}>` : `- <${url}>`));
  if (pages.length === 0) return `\n[${head}.]\n`;
  return `\n[${head}, and found:\n${pages.join("\n")}]\n`;
}

/** The wire's name for a place that is only known roughly. */
export function approximately(location: SearchLocation): JsonObject {
  return { type: "approximate", ...location };
}
