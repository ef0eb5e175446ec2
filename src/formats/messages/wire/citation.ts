// Citations of text blocks. Only those that name an address can be told to a messages client:
// the others count places in documents that no other dialect counts.
import type { JsonObject } from "../../../core/json.ts";
import type { Citation } from "../../exchange.ts";
import { readNumber, readText } from "./fields.ts";

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

/** Null when a client of this format could not read it. */
export function writeCitation({ url, title, quote }: Citation): JsonObject | null {
  if (url === null) return null;
  return {
    type: "web_search_result_location",
    url,
    title,
    cited_text: quote ?? "",
    encrypted_index: "",
  };
}
