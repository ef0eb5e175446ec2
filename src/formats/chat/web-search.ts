// The vendor's own search of the web. Chat offers it by a field of the request, and only to models
// that were made for it; what was found comes back as annotations.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { WebSearch } from "../exchange.ts";
import { readText } from "../kit/openai-exchange.ts";
import { readLocation, readTexts, unsaidWishes } from "../kit/web-search.ts";

const fieldName = "web_search_options";
const searchModels = /(?:^|[-/])search(?:[-:]|$)|(?:^|\/)sonar(?:-|$)/;

/** Other models refuse to be asked to search. */
export function isSearchModel(model: string): boolean {
  return searchModels.test(model);
}

export function decodeSearch({ [fieldName]: searchOptions }: JsonObject): WebSearch | null {
  if (searchOptions === undefined || searchOptions === null || searchOptions === false) return null;
  const options = isObject(searchOptions) ? searchOptions : {};
  const { user_location: place, filters } = options;
  const domains = isObject(filters) ? filters : {};
  return {
    at: fieldName,
    names: {
      allowedDomains: `${fieldName}.filters.allowed_domains`,
      blockedDomains: `${fieldName}.filters.blocked_domains`,
      location: `${fieldName}.user_location`,
      contextSize: `${fieldName}.search_context_size`,
      usesMax: fieldName,
    },
    allowedDomains: readTexts(domains["allowed_domains"]),
    blockedDomains: readTexts(domains["blocked_domains"]),
    location: readLocation(isObject(place) ? (place["approximate"] ?? place) : null),
    contextSize: readText(options["search_context_size"]),
    usesMax: null,
  };
}

interface EncodedSearch {
  fields: JsonObject;
  ignored: string[];
}

const nothing: EncodedSearch = { fields: {}, ignored: [] };

export function encodeSearch(search: WebSearch | null, model: string): EncodedSearch {
  if (!search) return nothing;
  if (!isSearchModel(model)) return { fields: {}, ignored: [search.at] };
  const { location, contextSize } = search;
  const options: JsonObject = {};
  if (contextSize !== null) options["search_context_size"] = contextSize;
  if (location) options["user_location"] = { type: "approximate", approximate: { ...location } };
  const ignored = unsaidWishes(search, ["allowedDomains", "blockedDomains", "usesMax"]);
  return { fields: { [fieldName]: options }, ignored };
}
