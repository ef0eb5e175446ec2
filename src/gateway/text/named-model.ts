// The model that a reply says it came from.
import { isObject } from "../../core/json.ts";
import type { Tally } from "./meter/tally.ts";

export interface NamedModel {
  /** Null where the reply does not say. */
  readonly model: string | null;
}

/** Model that a whole reply names, on any wire. */
export function replyModel(body: unknown): NamedModel {
  if (!isObject(body)) return unnamed;
  const { model, modelVersion } = body;
  const name = model ?? modelVersion;
  return typeof name === "string" ? { model: name } : unnamed;
}

const unnamed: NamedModel = { model: null };

/** Vendors name it in the first event that says anything. */
const blocksMax = 4;

/** Looks at the first events of a stream, and at none once it is named. */
export class ModelWatch implements NamedModel {
  model: string | null = null;
  #blocksLeft = blocksMax;

  over(tally: Tally): Tally {
    return {
      push: (bytes) => {
        if (this.#blocksLeft > 0) this.#see(bytes);
        tally.push(bytes);
      },
      count: () => tally.count(),
      drop: () => tally.drop(),
    };
  }

  #see(bytes: Uint8Array): void {
    this.#blocksLeft--;
    this.model = scan(bytes);
    if (this.model !== null) this.#blocksLeft = 0;
  }
}

const newline = 10;
const quote = 34;
const colon = 58;
const backslash = 92;
const space = 32;
const opening: readonly number[] = [123, 91];
const closing: readonly number[] = [125, 93];
/** On the event itself, or on the reply that it announces. */
const depthMax = 2;
const decoder = new TextDecoder();

/** Finds the name without parsing: what passes through is not to be read twice. */
function scan(bytes: Uint8Array): string | null {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === newline) depth = 0;
    else if (opening.includes(byte)) depth++;
    else if (closing.includes(byte)) depth--;
    else if (byte === quote) {
      const end = endOfText(bytes, at + 1);
      if (depth <= depthMax && isModelName(bytes, at + 1, end)) {
        const value = valueAt(bytes, end + 1);
        if (value !== null) return value;
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

const names = ["model", "modelVersion"].map((name) => new TextEncoder().encode(name));

function isModelName(bytes: Uint8Array, from: number, end: number): boolean {
  return names.some(
    (name) => name.length === end - from && name.every((byte, at) => bytes[from + at] === byte),
  );
}

/** The text behind a colon; null where there is no colon, or another kind of value. */
function valueAt(bytes: Uint8Array, from: number): string | null {
  let at = from;
  while (bytes[at] === space) at++;
  if (bytes[at] !== colon) return null;
  do at++;
  while (bytes[at] === space);
  if (bytes[at] !== quote) return null;
  return decoder.decode(bytes.subarray(at + 1, endOfText(bytes, at + 1)));
}
