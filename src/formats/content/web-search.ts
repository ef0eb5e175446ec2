// Google's own search of the web: as a tool that is offered, and as the grounding of an answer.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { FoundPage, SearchPart, WebSearch } from "../exchange.ts";
import { readTexts, unsaidWishes } from "../kit/web-search.ts";
import { field, objectField, textField } from "./schema.ts";

const searchNames = new Set([
  "googleSearch",
  "google_search",
  "googleSearchRetrieval",
  "google_search_retrieval",
]);

export function isWebSearch(name: string): boolean {
  return searchNames.has(name);
}

/** Wishes for a search that no vendor but Google can be told. */
const ownWishes = ["blockingConfidence", "searchTypes", "timeRangeFilter"];

export function decodeSearch(tool: JsonObject, at: string, ignored: string[]): WebSearch {
  for (const name of ownWishes) if (field(tool, name)) ignored.push(`${at}.${name}`);
  return {
    at,
    names: {
      allowedDomains: at,
      blockedDomains: `${at}.excludeDomains`,
      location: at,
      contextSize: at,
      usesMax: at,
    },
    allowedDomains: [],
    blockedDomains: readTexts(field(tool, "excludeDomains")),
    location: null,
    contextSize: null,
    usesMax: null,
  };
}

/** None of the wishes can be told to the models that everybody may use. */
export function unsaidIn(search: WebSearch): string[] {
  return unsaidWishes(search, [
    "allowedDomains",
    "blockedDomains",
    "location",
    "contextSize",
    "usesMax",
  ]);
}

/** The search as grounding tells it so far; each event may tell more of it. */
export function addSearch(before: SearchPart | null, grounding: JsonObject): SearchPart | null {
  const webQueries = readTexts(field(grounding, "webSearchQueries"));
  if (webQueries.length === 0 && !before) return null;
  const queries = [...new Set([...(before?.queries ?? []), ...webQueries])];
  const pages = new Map((before?.found ?? []).map((page) => [page.url, page]));
  for (const page of readPages(grounding)) pages.set(page.url, page);
  return { kind: "search", queries, found: [...pages.values()], fault: null };
}

function readPages(grounding: JsonObject): FoundPage[] {
  const chunks = field(grounding, "groundingChunks");
  return (Array.isArray(chunks) ? chunks : []).flatMap((chunk) => {
    const web = isObject(chunk) ? objectField(chunk, "web") : null;
    const url = web && textField(web, "uri");
    return web && url ? [{ url, title: textField(web, "title"), age: null }] : [];
  });
}
