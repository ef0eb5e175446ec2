// The vendor's own search of the web: as a tool that is offered, and as the item that tells of it.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { SearchPart, WebSearch } from "../exchange.ts";
import { readText } from "../kit/openai-exchange.ts";
import { readNumber } from "../kit/openai-fields.ts";
import { approximately, readLocation, readTexts, unsaidWishes } from "../kit/web-search.ts";
import { listOf } from "./read.ts";

const searchType = /^web_search(?:_preview)?(?:_\d+)*$/;

/** A search that must keep to what the vendor has stored is none that another could make. */
export function isWebSearch({ type, external_web_access: isLive }: JsonObject): boolean {
  return typeof type === "string" && searchType.test(type) && isLive !== false;
}

/** The first one that is offered, be it from the start or on the way. */
export function findSearch(body: JsonObject): WebSearch | null {
  const lists: [string, Json | undefined][] = [["tools", body["tools"]]];
  for (const [at, item] of listOf(body["input"]).entries()) {
    if (isObject(item) && item["tools"] !== undefined) {
      lists.push([`input.${at}.tools`, item["tools"]]);
    }
  }
  for (const [path, tools] of lists) {
    const at = listOf(tools).findIndex((tool) => isObject(tool) && isWebSearch(tool));
    const tool = listOf(tools)[at];
    if (isObject(tool)) return decodeSearch(tool, `${path}.${at}`, body["max_tool_calls"]);
  }
  return null;
}

function decodeSearch(tool: JsonObject, at: string, callsMax: Json | undefined): WebSearch {
  const filters = isObject(tool["filters"]) ? tool["filters"] : {};
  return {
    at,
    names: {
      allowedDomains: `${at}.filters.allowed_domains`,
      blockedDomains: `${at}.filters.blocked_domains`,
      location: `${at}.user_location`,
      contextSize: `${at}.search_context_size`,
      usesMax: "max_tool_calls",
    },
    allowedDomains: readTexts(filters["allowed_domains"]),
    blockedDomains: readTexts(filters["blocked_domains"]),
    location: readLocation(tool["user_location"]),
    contextSize: readText(tool["search_context_size"]),
    usesMax: readNumber(callsMax),
  };
}

export const searchSources = "web_search_call.action.sources";

interface EncodedSearch {
  tool: JsonObject;
  ignored: string[];
}

export function encodeSearch(search: WebSearch): EncodedSearch {
  const { allowedDomains, location, contextSize } = search;
  const tool: JsonObject = { type: "web_search" };
  if (allowedDomains.length > 0) tool["filters"] = { allowed_domains: allowedDomains };
  if (location) tool["user_location"] = approximately(location);
  if (contextSize !== null) tool["search_context_size"] = contextSize;
  return { tool, ignored: unsaidWishes(search, ["blockedDomains"]) };
}

/** Null for what is no search: what is opened of what one found is part of it. */
export function readSearchItem({ type, action, status }: JsonObject): SearchPart | null {
  if (type !== "web_search_call") return null;
  const done = isObject(action) ? action : {};
  if ((done["type"] ?? "search") !== "search") return null;
  const query = readText(done["query"]);
  const queries = readTexts(done["queries"]);
  if (queries.length === 0 && query) queries.push(query);
  const pages = listOf(done["sources"]).flatMap((source) => {
    const url = isObject(source) ? readText(source["url"]) : null;
    if (!isObject(source) || !url) return [];
    return [{ url, title: readText(source["title"]), age: null }];
  });
  return {
    kind: "search",
    queries,
    found: pages,
    fault: status === "failed" ? "unavailable" : null,
  };
}

export function searchItem(id: string, { queries, found: pages, fault }: SearchPart): JsonObject {
  const status = fault === null ? "completed" : "failed";
  const sources = pages.map(({ url }) => ({ type: "url", url }));
  const action = { type: "search", query: queries.join(", "), queries, sources };
  return { id, type: "web_search_call", status, action };
}
