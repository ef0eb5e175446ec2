// JSON as it comes from outside: typed as unknown data, bounded in depth before it is parsed.

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json | undefined };

const quote = 34;
const backslash = 92;
const brace = 123;
const bracket = 91;
const depthMax = 64;

export class JsonError extends Error {
  override readonly name = "JsonError";
  /** Its syntax is wrong, and a look at the bytes tells where. */
  readonly isSyntax: boolean;

  constructor(message: string, { isSyntax = false } = {}) {
    super(message);
    this.isSyntax = isSyntax;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses untrusted bytes; throws JsonError on bad syntax, bad UTF-8 or nesting past the limit. */
export function parseJson(bytes: Uint8Array): Json {
  if (hasManyOpenings(bytes) && isTooDeep(bytes))
    throw new JsonError(`JSON is nested more than ${depthMax} levels deep`);
  try {
    return JSON.parse(utf8.decode(bytes)) as Json;
  } catch {
    throw new JsonError("body is not valid JSON", { isSyntax: true });
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });
const encoder = new TextEncoder();

export function encodeJson(value: Json): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

const openingBytes = [brace, bracket];

/**
 * Deep nesting stalls the parser for seconds, so the depth is bounded first. Most bodies have fewer
 * brackets, in strings or not, than may stand in each other, and those are found by native search.
 */
function hasManyOpenings(bytes: Uint8Array): boolean {
  let openings = 0;
  for (const opening of openingBytes) {
    let at = bytes.indexOf(opening);
    for (; at !== -1; at = bytes.indexOf(opening, at + 1)) if (++openings > depthMax) return true;
  }
  return false;
}

/** Strings are most of a large body and are skipped by the native search. */
function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      at = endOfString(bytes, at + 1);
    } else if (byte === brace || byte === bracket) {
      if (++depth > depthMax) return true;
    } else if (byte === 125 || byte === 93) {
      depth--;
    }
  }
  return false;
}

/** The index of the quote that closes the string whose text starts at `from`. */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = bytes.indexOf(quote, from);
  while (at !== -1 && isEscaped(bytes, at)) at = bytes.indexOf(quote, at + 1);
  return at === -1 ? bytes.length : at;
}

function isEscaped(bytes: Uint8Array, at: number): boolean {
  let slashes = 0;
  while (bytes[at - 1 - slashes] === backslash) slashes++;
  return slashes % 2 === 1;
}

/** The fields that are set. */
export function withoutNulls(fields: JsonObject): JsonObject {
  const present: JsonObject = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== null) present[name] = value;
  }
  return present;
}
