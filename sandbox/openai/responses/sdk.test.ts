// The official client and the AI SDK against the sandbox's Responses and embeddings.
import { afterAll, describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { embed, generateText, jsonSchema, streamText, tool } from "ai";
import { OpenAI } from "openai";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 1 });
afterAll(() => sandbox.close());

const baseURL = `${sandbox.url}/openai/v1`;
const client = new OpenAI({ apiKey: "sk-sandbox-a", baseURL, maxRetries: 0 });
const model = "sandbox-large";
const input = "Where do lighthouses stand?";
const parameters = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false as const,
};
const findCity = { type: "function" as const, name: "find_city", strict: true, parameters };

describe("the openai client", () => {
  test("gets an answer and reads it again", async () => {
    const reply = await client.responses.create({ model, input });
    expect(reply.output_text).toContain("lighthouses");
    const stored = await client.responses.retrieve(reply.id);
    expect(stored.output_text).toBe(reply.output_text);
    const items = await client.responses.inputItems.list(reply.id);
    expect(items.data).toHaveLength(1);
    await client.responses.delete(reply.id);
    const readAgain = async () => client.responses.retrieve(reply.id);
    await expect(readAgain()).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  test("reads a stream with reasoning to its end", async () => {
    const stream = client.responses.stream({
      model,
      input,
      reasoning: { effort: "low", summary: "auto" },
    });
    const pieces: string[] = [];
    stream.on("response.output_text.delta", ({ delta }) => pieces.push(delta));
    const reply = await stream.finalResponse();
    expect(pieces.join("")).toBe(reply.output_text);
    expect(reply.output[0]?.type).toBe("reasoning");
    expect(reply.usage?.output_tokens_details.reasoning_tokens).toBeGreaterThan(0);
  });

  test("calls a tool in a stream and gives the result back", async () => {
    const first = await client.responses
      .stream({ model, input: "How far is it to Lisbon?", tools: [findCity] })
      .finalResponse();
    const [call] = first.output;
    if (call?.type !== "function_call") throw new Error("no call");
    expect(call.arguments).toBe('{"city":"Lisbon"}');
    const second = await client.responses.create({
      model,
      previous_response_id: first.id,
      input: [{ type: "function_call_output", call_id: call.call_id, output: "300 km" }],
    });
    expect(second.output_text).toContain("300 km");
  });

  test("counts and condenses", async () => {
    const { input_tokens: tokens } = await client.responses.inputTokens.count({ model, input });
    expect(tokens).toBe(7);
    const { output } = await client.responses.compact({ model, input });
    expect(output.at(-1)?.type).toBe("compaction");
  });

  test("gets embeddings, which it asks for as base64", async () => {
    const reply = await client.embeddings.create({ model, input: ["a", "b"], dimensions: 16 });
    expect(reply.data.map(({ embedding }) => embedding.length)).toEqual([16, 16]);
    expect(Math.hypot(...(reply.data[0]?.embedding ?? []))).toBeCloseTo(1, 5);
  });

  test("sees faults as its own errors", async () => {
    const streamed = (prompt: string) =>
      client.responses.stream({ model, input: prompt }).finalResponse();
    await expect(streamed("hello sandbox:error-after=0")).rejects.toThrow("The server had");
    await expect(streamed("hello sandbox:cut")).rejects.toThrow();
    expect(await streamed("hello sandbox:error-after=4")).toMatchObject({ status: "failed" });
  });
});

describe("the AI SDK", () => {
  const provider = createOpenAI({ apiKey: "sk-sandbox-a", baseURL });
  const options = { model: provider(model), maxRetries: 0 };

  test("gets text, whole and streamed", async () => {
    const { text, usage } = await generateText({ ...options, prompt: input });
    expect(text).toContain("lighthouses");
    expect(usage.outputTokens).toBeGreaterThan(0);
    const streamed = streamText({ ...options, prompt: input });
    expect(await streamed.text).toBe(text);
    expect(await streamed.finishReason).toBe("stop");
  });

  test("calls a tool", async () => {
    const { toolCalls } = await generateText({
      ...options,
      prompt: "How far is it to Lisbon?",
      tools: { find_city: tool({ inputSchema: jsonSchema<{ city: string }>(parameters) }) },
    });
    expect(toolCalls).toMatchObject([{ toolName: "find_city", input: { city: "Lisbon" } }]);
  });

  test("gets an embedding", async () => {
    const { embedding } = await embed({ model: provider.embedding(model), value: "rivers" });
    expect(embedding).toHaveLength(1536);
  });
});
