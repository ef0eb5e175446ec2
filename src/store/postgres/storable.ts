// Text as PostgreSQL takes it: it refuses the character 0 and halves of characters, which clients
// may send, and which must not hold up what is written beside them.
import type { Value } from "../store.ts";

const replacement = "\ufffd";

export function storable(value: Value): Value {
  return typeof value === "string" && value.includes("\0")
    ? value.replaceAll("\0", replacement)
    : value;
}

/** JSON text, in which both only ever stand as escapes. */
export function storableDocument(document: string): string {
  if (!document.includes("\\u")) return document;
  return document.replace(escapes, (text, refused?: string) => (refused ? replacement : text));
}

/** Every escape, so that a backslash which is itself escaped begins none. */
const escapes = /\\(?:u(0000|d[89a-f][0-9a-f]{2})|[^])/gi;
