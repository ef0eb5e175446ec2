import { expect, test } from "bun:test";
import type { Json, JsonObject } from "../../../core/json.ts";
import { chatPlaces } from "../../chat/places.ts";
import { PlaceWalk } from "./walk-places.ts";

/** The walk may take this many times as long as a loop over the same fields that does nothing. */
const timesMax = 3;
/** Of rounds under load the best one counts, so that more of them only make it truer. */
const roundsMax = 600;
const warmUpRounds = 100;
const bodiesPerRound = 100;

const words = "Explain how a lock on a canal lifts a boat. ";
const parameters = { type: "object", properties: { path: { type: "string" } } };

function times<Value>(count: number, make: (at: number) => Value): Value[] {
  return Array.from({ length: count }, (_, at) => make(at));
}

/** A turn of an agent: some 4 KB in 44 objects. */
function agentBody(): JsonObject {
  const call = (at: number) => ({
    role: "assistant",
    content: null,
    tool_calls: [{ id: `call_${at}`, type: "function", function: { name: "f", arguments: "{}" } }],
  });
  const asked = () => ({ role: "user", content: [{ type: "text", text: words.repeat(3) }] });
  return {
    model: "m",
    stream: true,
    messages: [
      { role: "system", content: words.repeat(8) },
      ...times(5, asked),
      ...times(5, call),
      ...times(5, (at) => ({ role: "tool", tool_call_id: `call_${at}`, content: words })),
    ],
    tools: times(6, (at) => ({
      type: "function",
      function: { name: `f${at}`, description: words, parameters },
    })),
  };
}

let fields = 0;

/** The least that anybody can do who looks at every field. */
function loop(value: Json): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) return value.forEach(loop);
  for (const name in value) {
    const inner = value[name];
    if (typeof inner === "object" && name !== "parameters") loop(inner);
    else fields++;
  }
}

function roundMs(run: (body: JsonObject) => void, bodies: readonly JsonObject[]): number {
  const fromMs = performance.now();
  for (let at = 0; at < bodiesPerRound; at++) {
    const body = bodies[at % bodies.length];
    if (body) run(body);
  }
  return performance.now() - fromMs;
}

test("a walk over an agent's turn takes no more than three bare loops over its fields", () => {
  const text = JSON.stringify(agentBody());
  const bodies = times(10, () => JSON.parse(text) as JsonObject);
  const walk = (body: JsonObject) => void new PlaceWalk().body(body, chatPlaces);
  // Neither is measured before the compiler has had its time with both.
  for (let round = 0; round < warmUpRounds; round++) {
    roundMs(loop, bodies);
    roundMs(walk, bodies);
  }
  let bareMs = roundMs(loop, bodies);
  let walkMs = roundMs(walk, bodies);
  for (let round = 0; round < roundsMax && walkMs > bareMs * timesMax; round++) {
    bareMs = Math.min(bareMs, roundMs(loop, bodies));
    walkMs = Math.min(walkMs, roundMs(walk, bodies));
  }
  expect(fields).toBeGreaterThan(0);
  expect(walkMs / bareMs).toBeLessThanOrEqual(timesMax);
});

test("fields are found in whatever order and mix they come", () => {
  const file = { type: "file", file: { file_id: "file-1" } };
  const said = { type: "text", text: "hi" };
  const parts = [
    said,
    file,
    said,
    { file: { file_id: "file-2" }, type: "file" },
    { ...said, file },
  ];
  const messages = [
    { role: "user", content: parts },
    { content: parts, role: "user" },
  ];
  const first = new PlaceWalk().body({ model: "m", messages }, chatPlaces);
  const again = new PlaceWalk().body({ messages, model: "m" }, chatPlaces);
  expect(again.objects.named).toEqual(first.objects.named);
  expect(first.objects.named).toHaveLength(6);
});
