// The vendors' own clients and the AI SDK read what vendors of other formats searched and found.
import { beforeAll, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { Anthropic } from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { generateText, streamText, type LanguageModel, type ToolSet } from "ai";
import { OpenAI } from "openai";
import type { Dialect } from "../../src/formats/exchange.ts";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { Vendor } from "../harness/vendor.ts";
import { searchedReply, searchedStream } from "../harness/web-search.ts";
import { wires } from "../harness/wires.ts";
import { kept, useStand } from "../harness/nodes/stand.ts";

globalThis.AI_SDK_LOG_WARNINGS = false;

const answer = "The last one leaves at ten.";
const table = "https://ferries.example/table";
const queries = ["ferries tonight", "harbour"];
const dialects = ["responses", "messages", "content"] as const;
const both = dialects.flatMap((dialect) =>
  [false, true].map((stream) => [dialect, stream] as const),
);
const from = (own: Dialect) => both.filter(([dialect]) => dialect !== own);

const vendors = new Map(dialects.map((dialect) => [dialect, kept(new Vendor(scriptOf(dialect)))]));

function scriptOf(dialect: Dialect): Vendor["script"] {
  return ({ body, path }, to) => {
    if (body["stream"] !== true && !path.includes("stream")) {
      to.json(searchedReply(dialect));
      return;
    }
    to.stream();
    to.chunk(searchedStream(dialect));
    to.end();
  };
}

const gateway = useStand(() => startGateway({ config: `sandbox: "off"\nunpriced: free` }));

beforeAll(async () => {
  for (const [dialect, vendor] of vendors) {
    const channel = { ...wires[dialect].channel, name: dialect, models: [dialect] };
    await gateway.control("POST", "/api/channel", vendor.channel(channel));
  }
});

const options = () => ({ apiKey: rootKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 });

test.each(from("messages"))(
  "X-S32 Anthropic's client reads the searches of %s (stream: %p)",
  async (model, stream) => {
    const client = new Anthropic({ ...options(), baseURL: gateway.url });
    const request = {
      model,
      max_tokens: 500,
      messages: [{ role: "user" as const, content: "Which ferries run?" }],
      tools: [{ type: "web_search_20250305" as const, name: "web_search" as const, max_uses: 5 }],
    };
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    const asked = message.content.flatMap((block) =>
      block.type === "server_tool_use" ? [block.input] : [],
    );
    expect(asked).toEqual(queries.map((query) => ({ query })));
    const pages = message.content.flatMap((block) =>
      block.type === "web_search_tool_result" && Array.isArray(block.content)
        ? block.content.map(({ url }) => url)
        : [],
    );
    expect(pages).toEqual([table, "https://harbour.example"]);
    const texts = message.content.flatMap((block) => (block.type === "text" ? [block] : []));
    expect(texts.map(({ text }) => text).join("")).toBe(answer);
    const cited = texts.flatMap(({ citations }) => citations ?? []);
    expect(cited[0]).toMatchObject({ type: "web_search_result_location", url: table });
    expect(message.usage.server_tool_use?.web_search_requests).toBe(2);
    // The client sends it all back, and whoever goes on understands it.
    const messages = [
      ...request.messages,
      { role: "assistant" as const, content: message.content },
      { role: "user" as const, content: "And tomorrow?" },
    ];
    for (const next of dialects) {
      const later = await client.messages.create({ ...request, model: next, messages });
      expect(later.stop_reason).toBe("end_turn");
    }
  },
);

test.each(from("responses"))(
  "X-S32 OpenAI's client reads the searches of %s (stream: %p)",
  async (model, stream) => {
    const client = new OpenAI(options());
    const request = {
      model,
      input: "Which ferries run?",
      tools: [{ type: "web_search" as const }],
    };
    const response = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    const asked = response.output.flatMap((item) =>
      item.type === "web_search_call" && item.action.type === "search"
        ? (item.action.queries ?? [])
        : [],
    );
    expect(asked).toEqual(queries);
    const parts = response.output.flatMap((item) => (item.type === "message" ? item.content : []));
    const [part] = parts.flatMap((one) => (one.type === "output_text" ? [one] : []));
    expect(part?.text).toBe(answer);
    expect(part?.annotations[0]).toMatchObject({ type: "url_citation", url: table });
    const next = await client.responses.create({
      ...request,
      previous_response_id: response.id,
      input: "And tomorrow?",
    });
    expect(next.status).toBe("completed");
  },
);

test.each(both)("X-S32 OpenAI's chat reads what %s cites (stream: %p)", async (model, stream) => {
  const client = new OpenAI(options());
  const request = {
    model,
    messages: [{ role: "user" as const, content: "Which ferries run?" }],
    web_search_options: {},
  };
  const completion = stream
    ? await client.chat.completions.stream(request).finalChatCompletion()
    : await client.chat.completions.create(request);
  const message = completion.choices[0]?.message;
  expect(message?.content).toBe(answer);
  expect(message?.annotations?.[0]).toMatchObject({ url_citation: { url: table } });
});

test.each(from("content"))(
  "X-S32 Google's client reads the searches of %s (stream: %p)",
  async (model, stream) => {
    const client = new GoogleGenAI({ apiKey: rootKey, httpOptions: { baseUrl: gateway.url } });
    const request = {
      model,
      contents: "Which ferries run?",
      config: { tools: [{ googleSearch: {} }] },
    };
    const replies = stream
      ? await Array.fromAsync(await client.models.generateContentStream(request))
      : [await client.models.generateContent(request)];
    expect(replies.map(({ text = "" }) => text).join("")).toBe(answer);
    const grounding = replies.at(-1)?.candidates?.[0]?.groundingMetadata;
    expect(grounding?.webSearchQueries).toEqual(queries);
    expect(grounding?.groundingChunks?.[0]).toMatchObject({ web: { uri: table } });
    expect(grounding?.groundingSupports?.[0]?.groundingChunkIndices).toEqual([0]);
  },
);

/** The AI SDK's provider of each format, with its own search. */
function aiClient(own: Dialect, model: string): { model: LanguageModel; tools: ToolSet } {
  const set = options();
  if (own === "messages") {
    const anthropic = createAnthropic(set);
    return { model: anthropic(model), tools: { web_search: anthropic.tools.webSearch_20250305() } };
  }
  if (own === "responses") {
    const openai = createOpenAI(set);
    return { model: openai.responses(model), tools: { web_search: openai.tools.webSearch({}) } };
  }
  const google = createGoogleGenerativeAI({ ...set, baseURL: `${gateway.url}/v1beta` });
  return { model: google(model), tools: { google_search: google.tools.googleSearch({}) } };
}

test.each(
  dialects.flatMap((own) => from(own).map(([dialect, stream]) => [own, dialect, stream] as const)),
)(
  "X-S32 the AI SDK's client of %s reads the searches of %s (stream: %p)",
  async (own, dialect, stream) => {
    const request = {
      ...aiClient(own, dialect),
      prompt: "Which ferries run?",
      maxRetries: 0,
      onError: () => undefined,
    };
    const result = stream ? streamText(request) : await generateText(request);
    expect(await result.text).toBe(answer);
    const sources = await result.sources;
    const addresses = sources.flatMap((source) =>
      source.sourceType === "url" ? [source.url] : [],
    );
    expect(addresses).toContain(table);
    if (own === "content") {
      const metadata = JSON.stringify(await result.providerMetadata);
      for (const query of queries) expect(metadata).toContain(query);
      return;
    }
    const calls = await result.toolCalls;
    expect(calls.length).toBeGreaterThan(0);
    for (const { toolName, providerExecuted } of calls) {
      expect([toolName, providerExecuted]).toEqual(["web_search", true]);
    }
  },
);
