// Answers of generateContent over real HTTP, as bytes on the wire.
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

interface Part {
  text?: string;
  thought?: boolean;
}
interface Candidate {
  content?: { role: string; parts?: Part[] };
  finishReason: string;
  index: number;
  safetyRatings: { blocked?: boolean }[];
}
interface Usage {
  promptTokenCount: number;
  cachedContentTokenCount?: number;
  candidatesTokenCount?: number;
  thoughtsTokenCount?: number;
  totalTokenCount: number;
  promptTokensDetails: object[];
}
interface Reply {
  candidates: Candidate[];
  usageMetadata: Usage;
  modelVersion: string;
  responseId: string;
}

const user = (...parts: object[]) => ({ role: "user", parts });
const says = (text: string) => ({ contents: [user({ text })] });
const question = says("How do the old bridges of Venice stand?");
const plain = "gemini-2.5-flash";

function post(body: object, model = plain) {
  return fetch(`${sandbox.url}/google/v1beta/models/${model}:generateContent`, {
    method: "POST",
    headers: { "x-goog-api-key": "sk-sandbox-a" },
    body: JSON.stringify({ ...question, ...body }),
  });
}

async function generate(body: object = {}, model = plain) {
  const response = await post(body, model);
  expect(response.status).toBe(200);
  return (await response.json()) as Reply;
}

async function candidateOf(body: object, model = plain): Promise<Candidate> {
  const [candidate] = (await generate(body, model)).candidates;
  if (!candidate) throw new Error("no candidate");
  return candidate;
}

async function textOf(body: object): Promise<string> {
  const parts = (await candidateOf(body)).content?.parts ?? [];
  return parts.map(({ text }) => text ?? "").join("");
}

async function usageOf(body: object, model = plain) {
  return (await generate(body, model)).usageMetadata;
}

const config = (generationConfig: object) => ({ generationConfig });

describe("an answer", () => {
  test("has the shape that Google gives it", async () => {
    const reply = await generate();
    expect(reply.candidates).toEqual([
      {
        content: { parts: [{ text: expect.stringContaining("bridges") }], role: "model" },
        finishReason: "STOP",
        index: 0,
        safetyRatings: expect.arrayContaining([
          { category: "HARM_CATEGORY_HARASSMENT", probability: "NEGLIGIBLE" },
        ]),
      },
    ]);
    expect(reply.modelVersion).toBe(plain);
    expect(reply.responseId).toStartWith("sandbox-");
  });

  test("is the same each time and another for another prompt", async () => {
    const text = await textOf({});
    expect(await textOf({})).toBe(text);
    expect(await textOf(says("Tell me about comets"))).not.toBe(text);
  });

  test("counts about four characters a token, thoughts apart", async () => {
    const body = says("x".repeat(400));
    const answerTokens = Math.ceil((await textOf(body)).length / 4);
    const usage = await usageOf(body);
    const thoughtTokens = usage.thoughtsTokenCount ?? 0;
    expect(thoughtTokens).toBeGreaterThan(0);
    expect(usage).toEqual({
      promptTokenCount: 100,
      candidatesTokenCount: answerTokens,
      thoughtsTokenCount: thoughtTokens,
      totalTokenCount: 100 + answerTokens + thoughtTokens,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 100 }],
    });
  });

  test("says what of the prompt came from a cache", async () => {
    const usage = await usageOf({ cachedContent: "cachedContents/abc" });
    expect(usage.cachedContentTokenCount).toBe(64);
    expect(usage.promptTokenCount).toBeGreaterThan(64);
  });

  test("goes without usage when told so", async () => {
    expect(await generate(says("hello sandbox:no-usage"))).not.toHaveProperty("usageMetadata");
  });

  test("stops at the limit of tokens, thoughts included", async () => {
    const noThoughts = { maxOutputTokens: 5, thinkingConfig: { thinkingBudget: 0 } };
    const candidate = await candidateOf(config(noThoughts));
    expect(candidate.finishReason).toBe("MAX_TOKENS");
    expect(candidate.content?.parts?.[0]?.text).toHaveLength(20);
    const usage = await usageOf(config({ maxOutputTokens: 20 }));
    const spent = (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0);
    expect(spent).toBe(20);
  });

  test("has no parts when the thoughts took all tokens", async () => {
    const candidate = await candidateOf(config({ maxOutputTokens: 1 }));
    expect(candidate).toMatchObject({ content: { role: "model" }, finishReason: "MAX_TOKENS" });
    expect(candidate.content).not.toHaveProperty("parts");
    expect(await usageOf(config({ maxOutputTokens: 1 }))).not.toHaveProperty(
      "candidatesTokenCount",
    );
  });

  test("stops before a stop sequence", async () => {
    const body = config({ stopSequences: ["bridges", "asked"] });
    expect(await textOf(body)).toBe("You ");
    expect((await candidateOf(body)).finishReason).toBe("STOP");
  });

  test("comes several times with indexes of its own", async () => {
    const { candidates, usageMetadata } = await generate(config({ candidateCount: 3 }));
    expect(candidates.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(new Set(candidates.map(({ content }) => content?.parts?.[0]?.text)).size).toBe(3);
    const alone = (await usageOf({})).thoughtsTokenCount ?? 0;
    expect(usageMetadata.thoughtsTokenCount).toBe(3 * alone);
  });

  test("reports probabilities when asked", async () => {
    expect(await candidateOf(config({ responseLogprobs: true }))).toHaveProperty("avgLogprobs");
    expect(await candidateOf({})).not.toHaveProperty("avgLogprobs");
  });
});

describe("thinking", () => {
  const thinking = (thinkingConfig: object) => config({ thinkingConfig });
  const thoughtTokens = async (given: object, model = "gemini-3-flash") =>
    (await usageOf(thinking(given), model)).thoughtsTokenCount;

  test("is counted unless it is off", async () => {
    expect(await thoughtTokens({ thinkingBudget: 0 })).toBeUndefined();
    expect(await thoughtTokens({}, "gemini-2.0-flash")).toBeUndefined();
    expect(await thoughtTokens({})).toBeGreaterThan(0);
    expect(await thoughtTokens({ thinkingBudget: -1 })).toBeGreaterThan(0);
    expect(await thoughtTokens({ thinkingBudget: 6 })).toBe(6);
  });

  test("is more at a higher level", async () => {
    const counts = [];
    for (const thinkingLevel of ["MINIMAL", "LOW", "medium", "HIGH"]) {
      counts.push((await thoughtTokens({ thinkingLevel })) ?? 0);
    }
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(new Set(counts).size).toBe(4);
  });

  test("is shown only when asked for", async () => {
    const [thought, answer] =
      (await candidateOf(thinking({ includeThoughts: true }))).content?.parts ?? [];
    expect(thought).toMatchObject({ thought: true, text: expect.stringContaining("bridges") });
    expect(answer).not.toHaveProperty("thought");
    expect((await candidateOf({})).content?.parts).toHaveLength(1);
    const off = await candidateOf(thinking({ includeThoughts: true, thinkingBudget: 0 }));
    expect(off.content?.parts).toHaveLength(1);
  });
});

describe("a filter", () => {
  test("takes away the answer", async () => {
    const candidate = await candidateOf(says("hello sandbox:filter"));
    expect(candidate.finishReason).toBe("SAFETY");
    expect(candidate).not.toHaveProperty("content");
    expect(candidate.safetyRatings.filter(({ blocked }) => blocked)).toHaveLength(1);
  });

  test("or blocks the prompt, and then there is no candidate", async () => {
    const reply = await generate(says("please block this sandbox:filter"));
    expect(reply).not.toHaveProperty("candidates");
    expect(reply).toMatchObject({ promptFeedback: { blockReason: "SAFETY" } });
    expect(reply.usageMetadata.totalTokenCount).toBe(reply.usageMetadata.promptTokenCount);
    expect(await generate(says("please block this"))).toHaveProperty("candidates");
  });
});

describe("a prompt", () => {
  test("is the last question of the user, in all of its parts", async () => {
    const contents = [
      user({ text: "sandbox:status=500" }),
      { role: "model", parts: [{ text: "no" }] },
      user({ text: "Compare volcanoes" }, { text: "and glaciers" }),
    ];
    const systemInstruction = { role: "user", parts: [{ text: "Be brief." }] };
    expect(await textOf({ contents, systemInstruction })).toContain("volcanoes and glaciers");
  });

  test("may be in snake case, and single values may stand for lists", async () => {
    const response = await fetch(
      `${sandbox.url}/google/v1beta/models/gemini-3-flash:generateContent`,
      {
        method: "POST",
        headers: { "x-goog-api-key": "sk-sandbox-a" },
        body: JSON.stringify({
          contents: { parts: { text: "Compare volcanoes and glaciers" } },
          system_instruction: { parts: [{ text: "Be brief." }] },
          generation_config: {
            max_output_tokens: "9",
            thinking_config: { thinking_budget: 0, include_thoughts: null },
          },
        }),
      },
    );
    expect(await response.json()).toMatchObject({
      candidates: [{ finishReason: "MAX_TOKENS" }],
      usageMetadata: { candidatesTokenCount: 9 },
    });
  });

  test("may carry media, which the answer describes by its bytes", async () => {
    const gif = Buffer.from("GIF89a\x03\0\x02\0\x80\0\0", "latin1").toString("base64");
    const pdf = Buffer.from("%PDF-1.7\n%%EOF").toString("base64");
    const wav = Buffer.from("RIFF\x24\0\0\0WAVEfmt ", "latin1").toString("base64");
    const note = Buffer.from("tea at five").toString("base64");
    const body = {
      contents: [
        user(
          { text: "What is this?" },
          { inlineData: { mimeType: "image/png", data: gif } },
          { inline_data: { mime_type: "application/pdf", data: pdf } },
          { inlineData: { mimeType: "audio/wav", data: wav } },
          { inlineData: { mimeType: "text/plain", data: note } },
          { fileData: { mimeType: "video/mp4", fileUri: "https://files.test/v1" } },
        ),
      ],
    };
    const text = await textOf(body);
    expect(text).toContain("an image of type image/gif, 3 by 2 pixels");
    expect(text).toContain("a document of type application/pdf, 14 bytes");
    expect(text).toContain("audio of type audio/wav, 16 bytes");
    expect(text).toContain("a text that says tea at five");
    expect(text).toContain("a file at https://files.test/v1");
    expect((await usageOf(body)).promptTokensDetails).toEqual([
      { modality: "TEXT", tokenCount: 4 },
      { modality: "IMAGE", tokenCount: 258 },
      { modality: "DOCUMENT", tokenCount: 516 },
      { modality: "AUDIO", tokenCount: 32 },
      { modality: "VIDEO", tokenCount: 263 },
    ]);
  });
});

describe("structured output", () => {
  const json = { responseMimeType: "application/json" };

  test("is an object when that is all that was asked", async () => {
    expect(JSON.parse(await textOf(config(json)))).toEqual({
      answer: expect.stringContaining("bridges"),
    });
  });

  test("fits a schema in either language", async () => {
    const openApi = {
      type: "OBJECT",
      properties: {
        city: { type: "STRING", nullable: true },
        ages: { type: "array", items: { type: "INTEGER", minimum: 100 } },
        kind: { anyOf: [{ type: "STRING", format: "enum", enum: ["stone", "wood"] }] },
      },
      propertyOrdering: ["kind", "city"],
    };
    const value = { city: "Venice", ages: [100], kind: "stone" };
    expect(JSON.parse(await textOf(config({ ...json, responseSchema: openApi })))).toEqual(value);
    const jsonSchema = {
      $defs: { city: { type: "string", const: "Venice" } },
      type: "object",
      properties: { city: { $ref: "#/$defs/city" } },
      additionalProperties: false,
    };
    const body = config({ ...json, responseJsonSchema: jsonSchema });
    expect(JSON.parse(await textOf(body))).toEqual({ city: "Venice" });
  });

  test("may be one of a few words", async () => {
    const responseSchema = { type: "STRING", enum: ["stone", "wood"] };
    const body = config({ responseMimeType: "text/x.enum", responseSchema });
    expect(await textOf(body)).toBe("stone");
  });
});
