// The AI SDK with its openai provider, as they are: chat models and responses models.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import {
  APICallError,
  embedMany,
  generateText,
  isStepCount,
  type ModelMessage,
  streamText,
} from "ai";
import { dialects, modelOf, startTapped, type TappedStand } from "../harness/dialects.ts";
import { rootKey } from "../harness/gateway.ts";
import { proofsIn } from "../harness/samples.ts";
import { aiHolds } from "./ai/behaviour.ts";

const effort = { reasoningEffort: "medium", forceReasoning: true };

function openai(url: string, apiKey: string) {
  return createOpenAI({ baseURL: `${url}/v1`, apiKey });
}

describe("the chat model of @ai-sdk/openai", () => {
  aiHolds({
    model: (id, { url, key }) => openai(url, key).chat(id),
    options: {},
    thinking: { openai: effort },
    returnsThinking: false,
    returnsHiddenThinking: { whole: false, streamed: false },
    sendsAddresses: true,
  });
});

describe("the responses model of @ai-sdk/openai", () => {
  aiHolds({
    model: (id, { url, key }) => openai(url, key)(id),
    options: { openai: { store: false } },
    thinking: { openai: { ...effort, reasoningSummary: "auto", store: false } },
    returnsThinking: true,
    returnsHiddenThinking: { whole: true, streamed: true },
    sendsAddresses: true,
  });
});

describe("what the openai provider alone does", () => {
  let stand: TappedStand;
  beforeAll(async () => {
    stand = await startTapped();
  });
  afterAll(() => stand[Symbol.asyncDispose]());

  /** The provider sends an answer's id in place of the answer, unless it is told not to. */
  test.each(dialects)(
    "T11 answers and thoughts are referred to by their ids, on %s",
    async (dialect) => {
      const model = openai(stand.gateway.url, rootKey)(modelOf[dialect]);
      const providerOptions = { openai: { ...effort, reasoningSummary: "auto" } };
      const ask = { model, maxRetries: 0, providerOptions, include: { requestBody: true } };
      const first: ModelMessage[] = [{ role: "user", content: "Tell me about harbours." }];
      const { response, text } = await generateText({ ...ask, messages: first });
      const messages: ModelMessage[] = [
        ...first,
        ...response.messages,
        { role: "user", content: "Where do lighthouses stand?" },
      ];
      const next = await generateText({ ...ask, messages });
      expect(next.text).toStartWith("You asked about lighthouses");
      expect(JSON.stringify(next.request.body)).toContain('"item_reference"');
      if (dialect === "responses") return;
      const sent = stand.tap.bodies.at(-1);
      expect(JSON.stringify(sent)).toContain(text);
      expect(proofsIn(sent, dialect)).not.toEqual([]);
    },
  );

  test("T11 a reference to what nobody keeps is a 400 that says what to do", async () => {
    const model = openai(stand.gateway.url, rootKey)(modelOf.messages);
    const providerOptions = { openai: { itemId: "msg_unknown" } };
    const messages: ModelMessage[] = [
      { role: "assistant", content: [{ type: "text", text: "Hello.", providerOptions }] },
      { role: "user", content: "Where do lighthouses stand?" },
    ];
    const asked = generateText({ model, messages, maxRetries: 0 });
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    if (!APICallError.isInstance(error)) throw error;
    expect(error.statusCode).toBe(400);
    expect(error.message).toMatch(/^input\.0 refers to an item .*`store: false`/);
  });

  test.each(dialects)("T9 custom tools take free text, on %s", async (dialect) => {
    const provider = openai(stand.gateway.url, rootKey);
    const format = { type: "grammar", syntax: "regex", definition: "[A-Z][a-z]+" } as const;
    const asked: unknown[] = [];
    const town = {
      ...provider.tools.customTool({ description: "A town", format }),
      execute: (input: string) => {
        asked.push(input);
        return "It is a capital.";
      },
    };
    for (const isStream of [false, true]) {
      const ask = {
        model: provider(modelOf[dialect]),
        prompt: "Which town is it, Lisbon?",
        tools: { town },
        stopWhen: isStepCount(3),
        maxRetries: 0,
      };
      const text = isStream ? await streamText(ask).text : (await generateText(ask)).text;
      expect(text).toContain("It is a capital.");
    }
    expect(asked).toEqual(["Lisbon", "Lisbon"]);
  });

  test("embedMany gives a vector for each value", async () => {
    const model = openai(stand.gateway.url, rootKey).embedding("embedA");
    const values = ["harbour", "lighthouse"];
    const { embeddings, usage } = await embedMany({ model, values, maxRetries: 0 });
    expect(embeddings.map((vector) => vector.length)).toEqual([1536, 1536]);
    expect(embeddings[0]).not.toEqual(embeddings[1] ?? []);
    expect(usage.tokens).toBeGreaterThan(1);
  });

  test.each(dialects)(
    "N5 legacy completions work on %s where it has what they ask for",
    async (dialect) => {
      const model = openai(stand.gateway.url, rootKey).completion(modelOf[dialect]);
      const asked = generateText({ model, prompt: "Where do lighthouses stand?", maxRetries: 0 });
      if (dialect === "responses") {
        const error: unknown = await asked.catch((thrown: unknown) => thrown);
        // The provider always sends sequences to stop at, which this dialect does not have.
        expect(error).toMatchObject({ statusCode: 400, message: expect.stringMatching(/^stop /) });
        return;
      }
      const { text, finishReason, usage } = await asked;
      expect(text).toContain("lighthouse");
      expect(finishReason).toBe("length");
      expect(usage.outputTokens).toBeWithin(5, 17);
    },
  );
});
