// Citations as the annotations of a message: their positions count from the start of its content.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Citation, TextPart } from "../exchange.ts";
import { readText } from "../kit/openai-exchange.ts";
import { readNumber } from "../kit/openai-fields.ts";

/** Chat can cite addresses only; null for anything else. */
export function encodeCitation(
  { url, title, start, end }: Citation,
  textStart: number,
  textLength: number,
): JsonObject | null {
  if (url === null) return null;
  return {
    type: "url_citation",
    url_citation: {
      // A citation without positions is of the whole text that it stands on.
      start_index: textStart + (start ?? 0),
      end_index: textStart + (end ?? textLength),
      title: title ?? "",
      url,
    },
  };
}

export function encodeCitations({ text, citations = [] }: TextPart, start: number): JsonObject[] {
  return citations
    .map((citation) => encodeCitation(citation, start, text.length))
    .filter((annotation) => annotation !== null);
}

export function decodeCitation(annotation: Json, textStart: number): Citation | null {
  if (!isObject(annotation) || !isObject(annotation["url_citation"])) return null;
  const { url, title, start_index: start, end_index: end } = annotation["url_citation"];
  const at = (index: number | null) => (index === null ? null : Math.max(0, index - textStart));
  return {
    url: readText(url),
    title: readText(title),
    quote: null,
    start: at(readNumber(start)),
    end: at(readNumber(end)),
    document: null,
  };
}

/** Those of a whole message, whose content is one text. */
export function decodeCitations(annotations: Json | undefined): Citation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.flatMap((annotation) => decodeCitation(annotation, 0) ?? []);
}
