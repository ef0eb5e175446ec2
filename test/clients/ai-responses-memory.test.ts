// The AI SDK with responses models as they are by default: it sends ids of what was answered before
// in place of the answers, whatever the upstream keeps.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import {
  generateText,
  isStepCount,
  jsonSchema,
  type ModelMessage,
  streamText,
  tool,
  type ToolSet,
} from "ai";
import type { JsonObject } from "../../src/core/json.ts";
import { modelOf, startTapped } from "../harness/dialects.ts";
import { rootKey } from "../harness/gateway.ts";
import { placeSchema, proofsIn } from "../harness/samples.ts";
import { startTap, type Tap } from "../harness/tap.ts";
import { useStand } from "../harness/nodes/stand.ts";

globalThis.AI_SDK_LOG_WARNINGS = false;

/** Between the SDK and the gateway. */
let tap: Tap;

const stand = useStand(() => startTapped());

beforeAll(() => {
  tap = startTap(stand.gateway.url);
});

afterAll(async () => {
  await tap[Symbol.asyncDispose]();
});

const tools: ToolSet = {
  find_city: tool({
    description: "Finds a city",
    inputSchema: jsonSchema<{ city: string }>(placeSchema),
    execute: ({ city }) => `${city} is 300 km away`,
  }),
};

function modelFor(id: string) {
  return createOpenAI({ baseURL: `${tap.url}/v1`, apiKey: rootKey })(id);
}

interface Asked {
  model: ReturnType<typeof modelFor>;
  messages: ModelMessage[];
  options: { openai: Record<string, string | boolean> };
  isStream: boolean;
}

/** Asks, lets the tools run to their end, and gives the text and the conversation so far. */
async function say({ model, messages, options, isStream }: Asked) {
  const ask = {
    model,
    messages,
    tools,
    stopWhen: isStepCount(4),
    maxRetries: 0,
    providerOptions: options,
  };
  const result = isStream ? streamText(ask) : await generateText(ask);
  const [text, steps] = await Promise.all([result.text, result.steps]);
  return { text, steps, messages: [...messages, ...(await result.responseMessages)] };
}

const user = (content: string): ModelMessage => ({ role: "user", content });
const hasReference = (body: JsonObject) => JSON.stringify(body).includes('"item_reference"');

const ways = (["chat", "messages", "content"] as const).flatMap((to) => [
  { to, isStream: false, how: "generateText" },
  { to, isStream: true, how: "streamText" },
]);

describe.each(ways)("$how on $to", ({ to, isStream }) => {
  test("T16 runs tools over several steps and turns, with what it thought before", async () => {
    const before = tap.bodies.length;
    const model = modelFor(modelOf[to]);
    const effort = { reasoningEffort: "medium", reasoningSummary: "auto", forceReasoning: true };
    const common = { model, isStream, options: { openai: effort } };
    const first = await say({ ...common, messages: [user("How far is it to Lisbon?")] });
    expect(first.text).toContain("Lisbon is 300 km away");
    expect(first.steps).toHaveLength(2);
    const question = user("How far is it to Oslo?");
    const second = await say({ ...common, messages: [...first.messages, question] });
    expect(second.text).toContain("Oslo is 300 km away");
    expect(tap.bodies.slice(before).map(hasReference)).toEqual([false, true, true, true]);
    expect(proofsIn(stand.tap.bodies.at(-1), to)).not.toEqual([]);
    expect(JSON.stringify(stand.tap.bodies.at(-1))).toContain("You asked about Lisbon");
  });

  test("T11 goes on by the id of the last response", async () => {
    const model = modelFor(modelOf[to]);
    const ask = { model, isStream, options: { openai: {} } };
    const first = await say({ ...ask, messages: [user("How far is it to Lisbon?")] });
    const previousResponseId = String(
      first.steps.at(-1)?.providerMetadata?.["openai"]?.["responseId"],
    );
    const options = { openai: { previousResponseId } };
    const next = await say({ ...ask, options, messages: [user("And what lies beyond?")] });
    expect(next.steps.length).toBeGreaterThan(0);
    const sent = JSON.stringify(stand.tap.bodies.at(-1));
    expect(sent).toContain("How far is it to Lisbon?");
    expect(sent).toContain("Lisbon is 300 km away");
    expect(sent).toContain("And what lies beyond?");
  });
});
