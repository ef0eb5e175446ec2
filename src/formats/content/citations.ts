// Sources of an answer: Google counts their places in bytes, everyone else in characters.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Citation, SearchPart } from "../exchange.ts";

/** Sources that a candidate names for its text so far. */
export function readCitations(candidate: JsonObject, text: string): Citation[] {
  const { citationMetadata: cited, groundingMetadata: grounded } = candidate;
  const citations: Citation[] = [];
  if (isObject(cited)) {
    for (const source of objectsOf(cited["citationSources"] ?? cited["citations"])) {
      citations.push({ ...place(source, text), ...sourceOf(source) });
    }
  }
  if (isObject(grounded)) citations.push(...readGrounding(grounded, text));
  return citations;
}

/** A support says which chunks a piece of the text rests on; the other chunks are of the whole. */
function readGrounding(grounding: JsonObject, text: string): Citation[] {
  const chunks = objectsOf(grounding["groundingChunks"]).map(chunkSource);
  const citations: Citation[] = [];
  const placed = new Set<number>();
  for (const support of objectsOf(grounding["groundingSupports"])) {
    const indices = support["groundingChunkIndices"];
    const segment = isObject(support["segment"]) ? support["segment"] : {};
    for (const index of Array.isArray(indices) ? indices : []) {
      const source = typeof index === "number" ? chunks[index] : undefined;
      if (!source || typeof index !== "number") continue;
      placed.add(index);
      citations.push({ ...place(segment, text), ...source });
    }
  }
  for (const [index, source] of chunks.entries()) {
    if (!placed.has(index)) citations.push({ start: null, end: null, ...source });
  }
  return citations;
}

type Source = Omit<Citation, "start" | "end">;

function chunkSource(chunk: JsonObject): Source {
  const source = chunk["web"] ?? chunk["retrievedContext"] ?? chunk["maps"];
  return sourceOf(isObject(source) ? source : {});
}

function sourceOf(source: JsonObject): Source {
  return {
    url: textOf(source["uri"]),
    title: textOf(source["title"]),
    quote: textOf(source["text"]),
    document: null,
  };
}

function place(segment: JsonObject, text: string): Pick<Citation, "start" | "end"> {
  const { startIndex, endIndex } = segment;
  if (typeof endIndex !== "number") return { start: null, end: null };
  // Google leaves out a start of 0.
  const start = typeof startIndex === "number" ? startIndex : 0;
  const bytes = Buffer.from(text);
  return { start: charactersIn(bytes, start), end: charactersIn(bytes, endIndex) };
}

function charactersIn(bytes: Buffer, end: number): number {
  return bytes.subarray(0, Math.max(0, end)).toString().length;
}

/** Sources of an answer. */
interface Grounds {
  citations: readonly Citation[];
  searches: readonly SearchPart[];
}

/**
 * Everything goes as grounding, which alone has room for a title and a quotation. Pages that were
 * found and are not cited stand behind those that are. Null where there is nothing to tell.
 */
export function writeGrounding({ citations, searches }: Grounds, text: string): JsonObject | null {
  if (citations.length === 0 && searches.length === 0) return null;
  const cited = new Set(citations.map(({ url }) => url));
  const pages = searches
    .flatMap(({ found: sources }) => sources)
    .filter(({ url }) => !cited.has(url));
  const queries = searches.flatMap((search) => search.queries);
  return {
    ...(queries.length === 0 ? {} : { webSearchQueries: queries }),
    groundingChunks: [
      ...citations.map(writeChunk),
      ...pages.map(({ url, title }) => writeChunk({ url, title, quote: null })),
    ],
    groundingSupports: citations.flatMap((citation, index) => writeSupport(citation, index, text)),
  };
}

function writeChunk({ url, title, quote }: Pick<Citation, "url" | "title" | "quote">): JsonObject {
  const source: JsonObject = {};
  if (url !== null) source["uri"] = url;
  if (title !== null) source["title"] = title;
  if (url !== null) return { web: source };
  if (quote !== null) source["text"] = quote;
  return { retrievedContext: source };
}

function writeSupport({ start, end }: Citation, index: number, text: string): JsonObject[] {
  if (start === null || end === null) return [];
  const segment: JsonObject = {
    startIndex: Buffer.byteLength(text.slice(0, start)),
    endIndex: Buffer.byteLength(text.slice(0, end)),
    text: text.slice(start, end),
  };
  return [{ segment, groundingChunkIndices: [index] }];
}

function objectsOf(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === "string" ? value : null;
}
