// The vendor's own search of the web: as a tool that is offered, and as the two blocks that tell of
// it, which are the call and what it found.
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import type { SearchPart, WebSearch } from "../../exchange.ts";
import { approximately, readLocation, readTexts, searchText } from "../../kit/web-search.ts";
import { readNumber, readObject, readObjects, readText } from "../../kit/fields.ts";

export const searchName = "web_search";
const searchType = /^web_search_\d{8}$/;
/** The version that every model takes which searches at all. */
const offeredType = "web_search_20250305";
const resultType = "web_search_tool_result";

export function isWebSearch({ type }: JsonObject): boolean {
  return typeof type === "string" && searchType.test(type);
}

export function decodeSearch(tool: JsonObject, at: string): WebSearch {
  return {
    at,
    names: {
      allowedDomains: `${at}.allowed_domains`,
      blockedDomains: `${at}.blocked_domains`,
      location: `${at}.user_location`,
      contextSize: at,
      usesMax: `${at}.max_uses`,
    },
    allowedDomains: readTexts(tool["allowed_domains"]),
    blockedDomains: readTexts(tool["blocked_domains"]),
    location: readLocation(tool["user_location"]),
    contextSize: null,
    usesMax: readNumber(tool["max_uses"]),
  };
}

/** The vendor takes the one list of domains or the other. */
export function encodeSearch(search: WebSearch): JsonObject {
  const { allowedDomains, blockedDomains, location, usesMax } = search;
  const tool: JsonObject = { type: offeredType, name: searchName };
  if (allowedDomains.length > 0) tool["allowed_domains"] = allowedDomains;
  else if (blockedDomains.length > 0) tool["blocked_domains"] = blockedDomains;
  if (location) tool["user_location"] = approximately(location);
  if (usesMax !== null) tool["max_uses"] = usesMax;
  return tool;
}

/** Pairs the calls of one answer with what they found. */
export class SearchReader {
  /** Queries by the id of their call; most answers have none. */
  #queries: Map<string, string> | null = null;

  /** Null until a search has its result, and for what is none. */
  read(block: JsonObject): SearchPart | null {
    if (isSearchCall(block)) {
      const query = readText(readObject(block["input"])["query"]);
      if (query) (this.#queries ??= new Map()).set(readText(block["id"]) ?? "", query);
      return null;
    }
    if (block["type"] !== resultType) return null;
    const query = this.#queries?.get(readText(block["tool_use_id"]) ?? "");
    const { content } = block;
    return {
      kind: "search",
      queries: query === undefined ? [] : [query],
      found: readObjects(content).flatMap(readPage),
      fault: readText(readObject(content)["error_code"]),
    };
  }
}

export function isSearchCall({ type, name }: JsonObject): boolean {
  return type === "server_tool_use" && name === searchName;
}

function readPage({ url, title, page_age: age }: JsonObject): SearchPart["found"] {
  const address = readText(url);
  if (!address) return [];
  return [{ url: address, title: readText(title), age: readText(age) }];
}

/** The vendor knows its own searches; those that were written here have ids that say so. */
const ownId = "srvtoolu_sluice_";

export function isWrittenHere({ type, id, tool_use_id: callId }: JsonObject): boolean {
  const named = type === "server_tool_use" ? id : type === resultType ? callId : null;
  return typeof named === "string" && named.startsWith(ownId);
}

interface SearchBlocks {
  call: JsonObject;
  input: JsonObject;
  result: JsonObject;
}

/** A call for each query; the pages stand with the first, as nobody knows who found which. */
export function writeSearch(
  { queries, found: sources, fault }: SearchPart,
  requestId: string,
  before: number,
): SearchBlocks[] {
  const pages = sources.map(({ url, title, age }) => ({
    type: "web_search_result",
    url,
    title: title ?? "",
    encrypted_content: "",
    page_age: age,
  }));
  const error = { type: "web_search_tool_result_error", error_code: fault ?? "unavailable" };
  return (queries.length === 0 ? [""] : queries).map((query, at) => {
    const id = `${ownId}${requestId}_${before + at}`;
    const content = fault === null ? (at === 0 ? pages : []) : error;
    const caller = { type: "direct" };
    return {
      call: { type: "server_tool_use", id, name: searchName, caller },
      input: { query },
      result: { type: resultType, tool_use_id: id, caller, content },
    };
  });
}

/** The searches of a history in words; blocks that are none stay. */
export function searchesInWords(blocks: readonly Json[]): Json[] {
  const reader = new SearchReader();
  return blocks.flatMap((block): Json[] => {
    if (!isObject(block) || !isWrittenHere(block)) return [block];
    const search = reader.read(block);
    const text = search && searchText(search);
    return text === null ? [] : [{ type: "text", text }];
  });
}
