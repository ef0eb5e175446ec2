// The model that a reply says it came from.
import { isObject } from "../../../core/json.ts";
import type { Tally } from "../meter/tally.ts";
import { findModelSpan } from "./model-span.ts";

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

const decoder = new TextDecoder();

function scan(bytes: Uint8Array): string | null {
  let span = findModelSpan(bytes, "events");
  // An event that is about the prompt alone has an empty one.
  while (span && isEmpty(bytes, span)) {
    const end = bytes.indexOf(newline, span.to);
    span = end === -1 ? null : findModelSpan(bytes, "events", end);
  }
  if (!span) return null;
  const isEnded = bytes[span.to - 1] === quote && span.to - 1 > span.from;
  return decoder.decode(bytes.subarray(span.from + 1, isEnded ? span.to - 1 : span.to));
}

const quote = 34;
const newline = 10;

function isEmpty(bytes: Uint8Array, { from, to }: { from: number; to: number }): boolean {
  return to - from === 2 && bytes[to - 1] === quote;
}
