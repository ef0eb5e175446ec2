// The place where replies name their model, found without parsing: what passes through is not read
// twice. An event names it on itself or on the reply that it announces; a whole reply on itself.

interface Span {
  /** Start of the value, its quotes included. */
  from: number;
  to: number;
}

/** Events begin anew with each line; a whole reply may have lines of its own. */
export type ReplyShape = "events" | "whole";

const newline = 10;
const quote = 34;
const colon = 58;
const backslash = 92;
const space = 32;
const braces: readonly number[] = [123, 91];
const closing: readonly number[] = [125, 93];
const encoder = new TextEncoder();
const names = ["model", "modelVersion"].map((name) => encoder.encode(name));
const announced = ["response", "message"].map((name) => encoder.encode(name));

/** The next name from there on; null where there is none. */
export function findModelSpan(bytes: Uint8Array, shape: ReplyShape, start = 0): Span | null {
  let depth = 0;
  let isAnnounced = false;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === newline && shape === "events") depth = 0;
    else if (braces.includes(byte)) depth++;
    else if (closing.includes(byte)) depth--;
    else if (byte === quote) {
      const end = endOfText(bytes, at + 1);
      const value = depth <= 2 ? behindColon(bytes, end + 1) : null;
      if (value !== null) {
        const mayName = depth === 1 || (depth === 2 && isAnnounced && shape === "events");
        if (mayName && bytes[value] === quote && isOneOf(names, bytes, at + 1, end)) {
          return { from: value, to: Math.min(endOfText(bytes, value + 1) + 1, bytes.length) };
        }
        if (depth === 1) isAnnounced = isOneOf(announced, bytes, at + 1, end);
      }
      at = end;
    }
  }
  return null;
}

function endOfText(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}

function isOneOf(
  words: readonly Uint8Array[],
  bytes: Uint8Array,
  from: number,
  end: number,
): boolean {
  return words.some(
    (word) => word.length === end - from && word.every((byte, at) => bytes[from + at] === byte),
  );
}

/** Start of the value behind a colon; null where there is no colon. */
function behindColon(bytes: Uint8Array, from: number): number | null {
  let at = from;
  while (isBlank(bytes[at])) at++;
  if (bytes[at] !== colon) return null;
  do at++;
  while (isBlank(bytes[at]));
  return at;
}

function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === newline || byte === 9 || byte === 13;
}
