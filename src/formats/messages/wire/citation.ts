// Citations of text blocks. Only those that name an address can be told to a messages client:
// the others count places in documents that no other dialect counts.
import type { JsonObject } from "../../../core/json.ts";
import type { Citation } from "../../exchange.ts";
import { readNumber, readText } from "../../kit/fields.ts";

export function readCitation(citation: JsonObject): Citation {
  const source = readText(citation["source"]);
  const isAddress = source !== null && /^https?:/i.test(source);
  return {
    url: readText(citation["url"]) ?? (isAddress ? source : null),
    title: readText(citation["title"]) ?? readText(citation["document_title"]),
    quote: readText(citation["cited_text"]),
    start: null,
    end: null,
    document: readNumber(citation["document_index"]),
  };
}

export function writeCitations(citations: readonly Citation[]): JsonObject[] {
  return citations.flatMap(({ url, title, quote }) => {
    if (url === null) return [];
    const type = "web_search_result_location";
    return [{ type, url, title, cited_text: quote ?? "", encrypted_index: "" }];
  });
}

/** The vendor knows its own by an index, which a citation that was written here does not have. */
export function isCitedHere({ type, encrypted_index: index }: JsonObject): boolean {
  return type === "web_search_result_location" && index === "";
}
