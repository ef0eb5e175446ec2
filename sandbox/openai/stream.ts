// An answer as OpenAI streams it: chunks that share a head, then a marker.
import { encodeEvent } from "../../src/core/sse.ts";
import type { Faults } from "../directives.ts";
import { Refusal } from "./errors.ts";
import type { Usage } from "./usage.ts";

const piecesCharactersMax = 12;

interface ChunkHead {
  id: string;
  object: string;
  created: number;
  model: string;
}

interface ChunkedAnswer {
  head: ChunkHead;
  /** For each choice its entries of the `choices` list, in order. */
  choices: object[][];
  /** Null when the client did not ask for it. */
  usage: Usage | null;
  faults: Faults;
}

/** Choices take turns, as they would when they are generated side by side. */
export function encodeChunks({ head, choices, usage, faults }: ChunkedAnswer): Uint8Array[] {
  const noUsageYet = usage === null ? {} : { usage: null };
  const events = takeTurns(choices).map((choice) =>
    encodeEvent(JSON.stringify({ ...head, choices: [choice], ...noUsageYet })),
  );
  if (usage) events.push(encodeEvent(JSON.stringify({ ...head, choices: [], usage })));
  if (faults.errorAfter !== null) {
    return [...events.slice(0, faults.errorAfter), encodeEvent(new Refusal(500).render())];
  }
  return [...events, encodeEvent("[DONE]")];
}

/** Text in pieces of a word each. */
export function splitWords(text: string): string[] {
  return text.match(/\s*\S+|\s+$/gu) ?? [];
}

/** JSON text in short pieces. */
export function splitArguments(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${piecesCharactersMax}}`, "gu")) ?? [];
}

function takeTurns<Item>(rows: Item[][]): Item[] {
  const longest = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: longest }, (_, at) =>
    rows.flatMap((row) => row.slice(at, at + 1)),
  ).flat();
}
