// Bodies of the golden files, with as little of an answer as can be asked for, so that what is held
// for is what they say. Each has what was held for it at 43f49688, before bodies were walked by
// places: for each kind of upstream in its order, null where it was refused.
import { upstreamKinds, type HoldCase } from "./generate/cases.ts";
import { isObject, type JsonObject } from "./generate/json.ts";

type Recorded = Record<string, (number | null)[]>;

export interface RecordedCase extends HoldCase {
  beforeMicros: number;
}

const least = {
  chat: { max_tokens: 1, max_completion_tokens: 1 },
  completions: { max_tokens: 1 },
  content: { maxOutputTokens: 1 },
  messages: { max_tokens: 1 },
  responses: { max_output_tokens: 16 },
};
type Wire = keyof typeof least;
export const recordedWires: readonly Wire[] = [
  "chat",
  "completions",
  "content",
  "messages",
  "responses",
];

async function read<Shape>(path: string): Promise<Shape> {
  return await Bun.file(new URL(path, import.meta.url)).json();
}

function withLeast(wire: Wire, body: JsonObject): JsonObject {
  if (wire !== "content") return { ...body, ...least[wire] };
  const { generationConfig: config } = body;
  return { ...body, generationConfig: { ...(isObject(config) && config), ...least.content } };
}

async function casesOf(wire: Wire, recorded: Recorded): Promise<RecordedCase[]> {
  const bodies = await read<Record<string, JsonObject>>(`../golden/fixtures/requests/${wire}.json`);
  return Object.entries(recorded).flatMap(([name, held]) =>
    upstreamKinds.flatMap((upstream, at) => {
      const beforeMicros = held[at] ?? null;
      const body = bodies[name];
      if (beforeMicros === null || !body) return [];
      return [{ name, wire, upstream, body: withLeast(wire, body), beforeMicros }];
    }),
  );
}

const all = await read<Record<Wire, Recorded>>("recorded.json");

export const recordedCases: readonly RecordedCase[] = (
  await Promise.all(recordedWires.map((wire) => casesOf(wire, all[wire])))
).flat();
