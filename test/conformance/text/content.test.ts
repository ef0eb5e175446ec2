// Google's routes: what is taken, what is answered, and both forms of a stream.
import { beforeAll, describe, expect, test } from "bun:test";
import type { JsonObject } from "../../../src/core/json.ts";
import { eventsOf, list } from "../../harness/clients/client.ts";
import { assembleChunks, contentClient } from "../../harness/clients/content.ts";
import { dialects, modelOf, startDialects } from "../../harness/dialects.ts";
import { rootKey } from "../../harness/gateway.ts";
import { Vendor } from "../../harness/vendor.ts";
import { answers, wires } from "../../harness/wires.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";

const vendor = kept(new Vendor(answers("content", "Hello.")));

const stand = useStand(() => startDialects("unpriced: free"));

beforeAll(async () => {
  const channel = { ...wires.content.channel, name: "scripted", models: ["scripted"] };
  await stand.gateway.control("POST", "/api/channel", vendor.channel(channel));
});

async function ask(model: string, body: JsonObject): Promise<JsonObject> {
  const response = await stand.gateway.post(`/v1beta/models/${model}:generateContent`, body);
  const answer = (await response.json()) as JsonObject;
  if (response.status !== 200) throw new Error(JSON.stringify(answer));
  return answer;
}

const hello = { role: "user", parts: [{ text: "What are lighthouses for?" }] };
const schema = { type: "OBJECT", properties: { city: { type: "STRING" } }, required: ["city"] };
const declaration = { name: "get_weather", description: "The weather.", parameters: schema };
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAADklEQVR4nGM4AQMMcBYAjLQOETxAoQ8AAAAASUVORK5CYII=";
const config: JsonObject = {
  temperature: 1,
  topP: 0.95,
  topK: 40,
  candidateCount: 1,
  maxOutputTokens: 4000,
  stopSequences: ["END OF IT"],
  responseMimeType: "text/plain",
  seed: 7,
  presencePenalty: 0.1,
  frequencyPenalty: 0.2,
  thinkingConfig: { includeThoughts: true, thinkingBudget: 1500 },
};
const safetySettings = [{ category: "HARM_CATEGORY_HARASSMENT", threshold: "BLOCK_NONE" }];

describe("generateContent", () => {
  test.each([...dialects])("T15 of a model on %s has the shape, usage included", async (to) => {
    const answer = await ask(modelOf[to], { contents: [hello] });
    const usage = answer["usageMetadata"] as Record<string, number>;
    const { promptTokenCount: input = 0, candidatesTokenCount: output = 0 } = usage;
    expect(Math.min(input, output)).toBeGreaterThan(4);
    expect(usage["totalTokenCount"]).toBe(input + output + (usage["thoughtsTokenCount"] ?? 0));
    expect(answer).toMatchObject({
      candidates: [
        {
          content: { role: "model", parts: [{ text: expect.stringContaining("lighthouses") }] },
          finishReason: "STOP",
          index: 0,
          // The specification: `candidates[]` has `safetyRatings[]`.
          safetyRatings: expect.any(Array),
        },
      ],
      modelVersion: modelOf[to],
      responseId: expect.any(String),
    } as JsonObject);
  });

  test.each([...dialects])("T15 X-M18 on %s takes both spellings of every name", async (to) => {
    const instruction = { parts: [{ text: "You are the keeper of a lighthouse in the north." }] };
    const plain = contentClient.read(await ask(modelOf[to], { contents: [hello] }));
    const snake = {
      contents: [
        {
          role: "user",
          parts: [
            { text: "What is this?" },
            { inline_data: { mime_type: "image/png", data: png } },
          ],
        },
      ],
      generation_config: { max_output_tokens: 60, stop_sequences: ["END OF IT"] },
    };
    for (const name of ["systemInstruction", "system_instruction"]) {
      const told = await ask(modelOf[to], { contents: [hello], [name]: instruction });
      expect(contentClient.read(told).input - plain.input).toBeWithin(9, 14);
    }
    if (to === "responses") delete (snake.generation_config as JsonObject)["stop_sequences"];
    const { text, output } = contentClient.read(await ask(modelOf[to], snake));
    expect(text).toStartWith("I see an image of type image/png, 3 by 2 pixels.");
    expect(output).toBeWithin(1, 61);
  });

  test.each(["chat", "messages", "content"] as const)(
    "T15 on %s takes every key of the configuration, and says what it left out",
    async (to) => {
      const body = { contents: [hello], generationConfig: config, safetySettings };
      const response = await stand.gateway.post(
        `/v1beta/models/${modelOf[to]}:generateContent`,
        to === "messages" ? { ...body, generationConfig: { ...config, topK: undefined } } : body,
      );
      const answer = (await response.json()) as JsonObject;
      expect([response.status, answer]).toEqual([200, answer]);
      const left = (response.headers.get("x-sluice-ignored") ?? "").split(", ");
      if (to === "content") expect(left).toEqual([""]);
      else expect(left).toContain("safetySettings");
      if (to === "messages") expect(left).toContain("generationConfig.seed");
    },
  );

  test.each([...dialects])("T15 on %s takes calls and results, media and files", async (to) => {
    const tools = [{ functionDeclarations: [declaration] }];
    const contents = [
      { role: "user", parts: [{ text: "Use get_weather for Oslo." }] },
    ] as JsonObject[];
    const toolConfig = {
      functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["get_weather"] },
    };
    const body = { contents, tools, toolConfig } as JsonObject;
    const called = await ask(modelOf[to], body);
    const { calls, stop } = contentClient.read(called);
    expect(calls).toMatchObject([{ name: "get_weather", input: { city: "Oslo" } }]);
    expect(stop).toBe("STOP");
    const next = contentClient.next({ ...body, toolConfig: undefined }, called, ["Rain."]);
    expect(contentClient.read(await ask(modelOf[to], next)).text).toContain("Rain.");
    const file = { fileData: { mimeType: "image/png", fileUri: "https://images.example/a.png" } };
    const seen = await ask(modelOf[to], {
      contents: [{ role: "user", parts: [{ text: "What is this?" }, file] }],
    });
    expect(contentClient.read(seen).text).toContain("https://images.example/a.png");
  });

  test("T15 every field and every unknown one reaches an upstream that speaks it", async () => {
    const body = {
      contents: [
        {
          role: "user",
          parts: [{ text: "Hi", x_odd: 1 }, { inlineData: { mimeType: "image/png", data: png } }],
        },
        {
          role: "model",
          parts: [
            { text: "Hm.", thought: true },
            {
              functionCall: { name: "get_weather", args: { city: "Oslo" } },
              thoughtSignature: "c2lnbmVk",
            },
          ],
        },
        {
          role: "user",
          parts: [{ functionResponse: { name: "get_weather", response: { output: "Rain." } } }],
        },
      ],
      system_instruction: { parts: [{ text: "Be brief." }] },
      generationConfig: config,
      safetySettings,
      tools: [{ functionDeclarations: [declaration] }, { googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode: "AUTO" } },
      labels: { a: "b" },
      x_vendor: [null, 0],
    } as unknown as JsonObject;
    await ask("scripted", body);
    expect(vendor.requests.at(-1)?.body).toEqual(body);
    expect(vendor.requests.at(-1)?.path).toBe("/v1beta/models/scripted:generateContent");
    expect(vendor.requests.at(-1)?.headers["x-goog-api-key"]).toBe("sk-vendor-secret-0000");
  });

  test("X-M19 an answer of an upstream that speaks it comes byte for byte", async () => {
    const own = {
      ...wires.content.reply("Grüße.", { input: 3, output: 4 }),
      promptFeedback: { safetyRatings: [] },
      avgLogprobs: -0.25,
    };
    vendor.script = (_request, reply) => reply.json(own);
    const path = "/v1beta/models/scripted:generateContent";
    const response = await stand.gateway.post(path, { contents: [hello] });
    expect(await response.text()).toBe(JSON.stringify(own));
    vendor.script = answers("content", "Hello.");
  });

  test("T15 a prompt that the vendor blocks is answered as such, in every format", async () => {
    const prompt = "Please block this, sandbox:filter";
    const answer = await ask(modelOf.content, {
      contents: [{ role: "user", parts: [{ text: prompt }] }],
    });
    expect(answer).toMatchObject({ promptFeedback: { blockReason: "SAFETY" } });
    const body = { model: modelOf.content, messages: [{ role: "user", content: prompt }] };
    const response = await stand.gateway.post("/v1/chat/completions", body);
    expect(await response.json()).toMatchObject({ choices: [{ finish_reason: "content_filter" }] });
  });

  test.each([
    [{}, "contents"],
    [{ contents: [] }, "contents"],
    [{ contents: "Hello?" }, "contents"],
    [{ contents: [{ role: "user" }] }, "contents.0.parts"],
    [{ contents: [{ role: "owner", parts: [] }] }, "contents.0.role"],
    [{ contents: [{ parts: [{ text: 5 }] }] }, "contents.0.parts.0.text"],
    [
      { contents: [hello], generationConfig: { maxOutputTokens: "many" } },
      "generationConfig.maxOutputTokens",
    ],
    [
      { contents: [hello], systemInstruction: { parts: [] }, system_instruction: { parts: [] } },
      "system_instruction",
    ],
  ])("T15 Q5 %j is a 400 that names %s", async (body, param) => {
    for (const to of dialects) {
      const before = stand.sandbox.calls().total;
      for (const verb of [
        "generateContent",
        "streamGenerateContent",
        "streamGenerateContent?alt=sse",
      ]) {
        const response = await stand.gateway.post(`/v1beta/models/${modelOf[to]}:${verb}`, body);
        expect(response.status).toBe(400);
        expect(await response.json()).toEqual({
          error: {
            message: expect.stringContaining(param),
            type: "invalid_request_error",
            param,
            code: "invalid_request",
            status: "INVALID_ARGUMENT",
          },
        });
      }
      expect(stand.sandbox.calls().total).toBe(before);
    }
  });
});

describe.each([...dialects])("streamGenerateContent of a model on %s", (to) => {
  const address = `/v1beta/models/${modelOf[to]}:streamGenerateContent`;

  test("T15 with alt=sse is bare events, each a piece, without a marker at the end", async () => {
    const response = await stand.gateway.post(`${address}?alt=sse`, { contents: [hello] });
    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    const text = await response.text();
    expect(text).not.toMatch(/^event:|\[DONE\]/m);
    const chunks = eventsOf(text);
    expect(chunks.length).toBeGreaterThan(5);
    const reasons = chunks.map(
      ({ candidates }) => list<JsonObject>(candidates)[0]?.["finishReason"] ?? null,
    );
    expect(reasons.filter((reason) => reason !== null)).toEqual(["STOP"]);
    expect(reasons.at(-1)).toBe("STOP");
    const { text: said, input, output } = contentClient.read(assembleChunks(chunks));
    expect(said).toContain("lighthouses");
    expect(Math.min(input, output)).toBeGreaterThan(4);
  });

  // The specification: "Streaming is SSE".
  test("T15 is events too for a client that does not say how", async () => {
    for (const headers of [{}, { accept: "*/*" }, { accept: "text/event-stream" }]) {
      const response = await askAccepting(address, headers);
      expect(response.headers.get("content-type")).toStartWith("text/event-stream");
      expect(eventsOf(await response.text()).length).toBeGreaterThan(5);
    }
    const response = await askAccepting(address, { accept: "application/json" });
    expect(response.headers.get("content-type")).toStartWith("application/json");
    expect(((await response.json()) as JsonObject[]).length).toBeGreaterThan(5);
  });

  test("T15 with alt=json is one list of the same pieces", async () => {
    const response = await stand.gateway.post(`${address}?alt=json`, { contents: [hello] });
    expect(response.headers.get("content-type")).toStartWith("application/json");
    const chunks = (await response.json()) as JsonObject[];
    const events = await stand.gateway.post(`${address}?alt=sse`, { contents: [hello] });
    const other = eventsOf(await events.text());
    expect(chunks).toHaveLength(other.length);
    const read = contentClient.read(assembleChunks(chunks));
    expect(read).toEqual(contentClient.read(assembleChunks(other)));
  });

  test("T15 X-S10 X-S11 has each call whole in one piece", async () => {
    const tools = [{ functionDeclarations: [declaration, { ...declaration, name: "get_time" }] }];
    const contents = [
      { role: "user", parts: [{ text: "Use get_weather and get_time for Oslo." }] },
    ];
    const response = await stand.gateway.post(`${address}?alt=json`, { contents, tools });
    const { calls, stop } = contentClient.read(
      assembleChunks((await response.json()) as JsonObject[]),
    );
    expect(calls).toMatchObject([
      { name: "get_weather", input: { city: "Oslo" } },
      { name: "get_time", input: { city: "Oslo" } },
    ]);
    expect(stop).toBe("STOP");
  });
});

function askAccepting(address: string, headers: Record<string, string>): Promise<Response> {
  return fetch(stand.gateway.url + address, {
    method: "POST",
    headers: { authorization: `Bearer ${rootKey}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ contents: [hello] }),
  });
}
