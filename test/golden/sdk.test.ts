// The vendors' own clients, and the AI SDK, read every stream that is written for their format.
import { afterAll, describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { streamText, type LanguageModel } from "ai";
import { OpenAI } from "openai";
import { isObject } from "../../src/core/json.ts";
import type { UpstreamDialect } from "../../src/formats/exchange.ts";
import { clients, dialects, type ClientName } from "./matrix.ts";
import { canOccur, conversionOf, convertStream, foldStream, isFault, scenes } from "./scenes.ts";

let stream = "";
const headers = { "content-type": "text/event-stream" };
const server = Bun.serve({ port: 0, fetch: () => new Response(stream, { headers }) });
afterAll(() => server.stop(true));

const { origin } = server.url;
const apiKey = "key";
const openai = new OpenAI({ apiKey, baseURL: `${origin}/v1`, maxRetries: 0 });
const anthropic = new Anthropic({ apiKey, baseURL: origin, maxRetries: 0 });
const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: origin } });
const aiOpenai = createOpenAI({ apiKey, baseURL: `${origin}/v1` });
const aiAnthropic = createAnthropic({ apiKey, baseURL: `${origin}/v1` });
const aiGoogle = createGoogleGenerativeAI({ apiKey, baseURL: `${origin}/v1beta` });

/** All text, refusals too, and the names of what is called. */
interface Heard {
  text: string;
  calls: string[];
}

type Listen = () => Promise<Heard>;

const listeners: Readonly<Record<ClientName, Readonly<Record<string, Listen>>>> = {
  chat: { "its own client": readChat, "the AI SDK": () => ask(aiOpenai.chat("m")) },
  completions: {
    "its own client": readCompletions,
    "the AI SDK": () => ask(aiOpenai.completion("m")),
  },
  responses: { "its own client": readResponses, "the AI SDK": () => ask(aiOpenai.responses("m")) },
  messages: { "its own client": readMessages, "the AI SDK": () => ask(aiAnthropic("m")) },
  content: { "its own client": readContent, "the AI SDK": () => ask(aiGoogle("m")) },
};

/** Features that the AI SDK never asks for, and an answer that it reports as the failure it is. */
const notForAi = /choices$|^chat custom tool$|^responses malformed$/;
globalThis.AI_SDK_LOG_WARNINGS = false;

for (const client of clients) {
  describe(`a stream for ${client}`, () => {
    for (const dialect of dialects.filter((name) => name !== client)) {
      for (const [name, listen] of Object.entries(listeners[client])) {
        test(`from ${dialect} is read by ${name}`, async () => {
          for (const scene of Object.keys(scenes[dialect].streams)) {
            const isForAll = !notForAi.test(`${client} ${scene}`);
            if (isFault(scene, client, "streamed") || !canOccur(scene, client)) continue;
            if (name === "the AI SDK" && !isForAll) continue;
            const raw = scenes[dialect].streams[scene] ?? "";
            const conversion = conversionOf(dialect, client, scene);
            stream = convertStream(conversion, [new TextEncoder().encode(raw)]);
            expect(await listen(), scene).toEqual(sentTo(client, dialect, raw));
          }
        });
      }
    }
  });
}

function sentTo(client: ClientName, dialect: UpstreamDialect, raw: string): Heard {
  const heard: Heard = { text: "", calls: [] };
  const [choice] = foldStream(dialect, raw).choices;
  for (const part of choice?.parts ?? []) {
    if (part.kind === "text" || part.kind === "refusal") heard.text += part.text;
    // An alias is for the upstream alone.
    else if (part.kind === "call" && client !== "completions")
      heard.calls.push(part.name.slice(0, 20));
  }
  return heard;
}

function heardOf(text: string, names: readonly string[]): Heard {
  return { text: withoutImages(text), calls: names.map((name) => name.slice(0, 20)) };
}

function withoutImages(text: string): string {
  return text.replace(/!\[image\]\([^)]*\)/g, "");
}

async function ask(model: LanguageModel): Promise<Heard> {
  const answer = streamText({ model, prompt: "hi", maxRetries: 0, onError: () => undefined });
  for await (const part of answer.fullStream) if (part.type === "error") throw part.error;
  const calls = await answer.toolCalls;
  const own = calls.filter(({ providerExecuted }) => !providerExecuted);
  return heardOf(
    await answer.text,
    own.map(({ toolName }) => toolName),
  );
}

async function readChat(): Promise<Heard> {
  const messages = [{ role: "user" as const, content: "hi" }];
  const runner = openai.chat.completions.stream({ model: "m", messages });
  const message = (await runner.finalChatCompletion()).choices[0]?.message;
  const calls: readonly object[] = message?.tool_calls ?? [];
  return heardOf(`${message?.content ?? ""}${message?.refusal ?? ""}`, calls.map(nameOf));
}

function nameOf(call: object): string {
  const called = "custom" in call ? call.custom : "function" in call ? call.function : null;
  return isObject(called) ? String(called["name"]) : "";
}

async function readCompletions(): Promise<Heard> {
  let text = "";
  const chunks = await openai.completions.create({ model: "m", prompt: "hi", stream: true });
  for await (const { choices } of chunks) {
    for (const choice of choices) if (choice.index === 0) text += choice.text;
  }
  return heardOf(text, []);
}

async function readResponses(): Promise<Heard> {
  const response = await openai.responses.stream({ model: "m", input: "hi" }).finalResponse();
  let text = "";
  const names: string[] = [];
  for (const item of response.output) {
    if (item.type === "function_call" || item.type === "custom_tool_call") names.push(item.name);
    if (item.type !== "message") continue;
    for (const part of item.content) text += part.type === "refusal" ? part.refusal : part.text;
  }
  return heardOf(text, names);
}

async function readMessages(): Promise<Heard> {
  const messages = [{ role: "user" as const, content: "hi" }];
  const message = await anthropic.messages
    .stream({ model: "m", max_tokens: 9, messages })
    .finalMessage();
  const texts = message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const calls = message.content.flatMap((block) => (block.type === "tool_use" ? [block.name] : []));
  return heardOf(texts.join(""), calls);
}

async function readContent(): Promise<Heard> {
  let text = "";
  const names: string[] = [];
  const chunks = await google.models.generateContentStream({ model: "m", contents: "hi" });
  for await (const { candidates = [] } of chunks) {
    const candidate = candidates.find(({ index }) => index === 0);
    for (const part of candidate?.content?.parts ?? []) {
      if (part.functionCall?.name) names.push(part.functionCall.name);
      else if (!part.thought) text += part.text ?? "";
    }
  }
  return heardOf(text, names);
}
