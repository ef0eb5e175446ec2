// Bounds of a request for vectors, and usage of its reply: input, since nothing is generated. Words
// of Google's on the texts, which its two APIs spell in two ways.
import type { JsonObject } from "../../core/json.ts";
import type { EmbeddingAsk, EmbeddingHints } from "../embedding.ts";
import { noOrigins, type Observed, type TextRequest } from "../format.ts";
import type { PlaceWalk } from "./places/walk-places.ts";

const nothing = {
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
};

/** Null where the vendor did not count. */
export function observedInput(inputTokens: number | null): Observed {
  const usage = inputTokens === null ? null : { ...nothing, inputTokens };
  return { usage, outputTokensEstimate: 0, origins: [] };
}

export function embeddingRequest(model: string, walk: PlaceWalk): TextRequest {
  return {
    ...walk.hold,
    model,
    stream: false,
    framing: "events",
    choices: 1,
    outputTokensMax: 0,
    wantsUsage: true,
    origins: walk.objects.joinedTo(noOrigins),
  };
}

const taskNames = ["taskType", "task_type"];
const allNames = [...taskNames, "title"];

/** Hints of entries of which each says them of its own text; nothing where none does. */
export function hintsIn(entries: readonly JsonObject[]): Pick<EmbeddingAsk, "hints"> {
  const names = allNames.filter((name) => entries.some((entry) => isSaid(entry[name])));
  if (names.length === 0) return {};
  const of = entries.map((entry) => ({
    task: textOf(taskNames.map((name) => entry[name]).find(isSaid)),
    title: textOf(entry["title"]),
  }));
  return { hints: { of, names } };
}

/** The fields of the text at this place; the name of the first is the vendor's. */
export function hintAt(
  hints: EmbeddingHints | undefined,
  at: number,
  taskName: string,
): JsonObject {
  const { task = null, title = null } = hints?.of[at] ?? {};
  return { ...(task !== null && { [taskName]: task }), ...(title !== null && { title }) };
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
