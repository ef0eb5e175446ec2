// Gemini's pictures over real HTTP, asked for by hand and by the vendor's own client.
import { GoogleGenAI } from "@google/genai";
import { afterAll, describe, expect, test } from "bun:test";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { readImageSize } from "../../../src/core/image-size.ts";
import { drawPicture } from "../../picture/index.ts";
import { startSandbox } from "../../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const client = new GoogleGenAI({
  apiKey: "sk-one",
  httpOptions: { baseUrl: `${sandbox.url}/google` },
});
const model = "gemini-3-pro-image";
const lite = "gemini-3.1-flash-lite-image";
const cat = Buffer.from(drawPicture({ width: 64, height: 48, format: "png", seed: "cat" }));
const catPart = { inlineData: { mimeType: "image/png", data: cat.toString("base64") } };

interface Reply {
  candidates?: { finishReason?: string; content?: { parts: Part[] } }[];
  promptFeedback?: object;
  usageMetadata?: object;
  error?: { message: string };
}

interface Part {
  thought?: boolean;
  inlineData?: { mimeType: string; data: string };
}

interface Ask {
  name?: string;
  prompt?: string;
  given?: object[];
  config?: object;
}

async function make({ name = model, prompt = "a fox", given = [], config }: Ask) {
  const response = await fetch(`${sandbox.url}/google/v1beta/models/${name}:generateContent`, {
    method: "POST",
    headers: { "x-goog-api-key": "sk-one" },
    body: JSON.stringify({
      contents: [{ parts: [{ text: prompt }, ...given] }],
      generationConfig: { responseModalities: ["TEXT", "IMAGE"], ...config },
    }),
  });
  return { ...((await response.json()) as Reply), status: response.status };
}

function picturesIn(reply: Reply): Part[] {
  const parts = reply.candidates?.[0]?.content?.parts ?? [];
  return parts.filter(({ inlineData }) => inlineData !== undefined);
}

function sizeIn(part: Part | undefined): object | null {
  return readImageSize("image/png", Buffer.from(part?.inlineData?.data ?? "", "base64"));
}

test("the vendor's own client gets a picture behind a draft and a few words", async () => {
  const reply = await client.models.generateContent({
    model,
    contents: [{ text: "a fox" }, catPart],
    config: {
      responseModalities: ["TEXT", "IMAGE"],
      imageConfig: { aspectRatio: "16:9", imageSize: "2K" },
    },
  });
  const parts = reply.candidates?.[0]?.content?.parts ?? [];
  expect(parts.map(({ thought, text }) => [thought ?? false, text !== undefined])).toEqual([
    [true, false],
    [false, true],
    [false, false],
  ]);
  const bytes = Buffer.from(parts[2]?.inlineData?.data ?? "", "base64");
  expect(readImageSize("image/png", bytes)).toEqual({ width: 2752, height: 1536 });
  expect(reply.usageMetadata).toMatchObject({
    candidatesTokensDetails: [
      { modality: "IMAGE", tokenCount: 4128 },
      { modality: "TEXT", tokenCount: 5 },
    ],
  });
});

test.each([
  [undefined, { width: 1024, height: 1024 }],
  [{ aspectRatio: "9:16" }, { width: 768, height: 1376 }],
  [
    { aspectRatio: "3:2", imageSize: "4K" },
    { width: 5056, height: 3392 },
  ],
])("the shape %j is %j", async (imageConfig, size) => {
  const reply = await make({ config: { imageConfig } });
  expect(sizeIn(picturesIn(reply)[1])).toEqual(size);
});

test("two pictures of one prompt differ unless a seed says otherwise", async () => {
  const draw = async (config: object) => picturesIn(await make({ config }))[1]?.inlineData?.data;
  expect(await draw({})).not.toBe(await draw({}));
  expect(await draw({ seed: 1 })).toBe(await draw({ seed: 1 }));
});

describe("a request", () => {
  test.each<[string, Ask]>([
    ["a model of text", { name: "gemini-3-sandbox" }],
    ["a ratio", { config: { imageConfig: { aspectRatio: "2:1" } } }],
    ["a class", { config: { imageConfig: { imageSize: "3K" } } }],
    ["a class in small letters", { config: { imageConfig: { imageSize: "2k" } } }],
    ["a class of other models", { config: { imageConfig: { imageSize: "512" } } }],
    ["a class above the only one", { name: lite, config: { imageConfig: { imageSize: "2K" } } }],
    ["a second candidate", { config: { candidateCount: 2 } }],
    ["a field of other makers", { config: { size: "1024x1024" } }],
    ["sound", { config: { responseModalities: ["IMAGE", "AUDIO"] } }],
    ["fifteen pictures", { given: Array.from({ length: 15 }, () => catPart) }],
    ["no picture", { given: [{ inlineData: { mimeType: "image/png", data: "AAAA" } }] }],
  ])("is refused for %s", async (_, ask) => {
    expect((await make(ask)).status).toBe(400);
  });

  test("is refused when the prompt asks for that", async () => {
    expect((await make({ prompt: "x sandbox:status=503" })).status).toBe(503);
    const filtered = await make({ prompt: "x sandbox:filter" });
    expect(filtered.candidates).toMatchObject([{ finishReason: "IMAGE_SAFETY" }]);
    expect(picturesIn(filtered)).toEqual([]);
    const blocked = await make({ prompt: "block this sandbox:filter" });
    expect(blocked.promptFeedback).toMatchObject({ blockReason: "SAFETY" });
    const failed = await make({ prompt: "x sandbox:fail" });
    expect(failed.candidates).toMatchObject([{ finishReason: "NO_IMAGE" }]);
    expect((await make({ prompt: "x sandbox:no-usage" })).usageMetadata).toBeUndefined();
  });
});
