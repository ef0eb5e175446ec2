// The majors before the newest of every SDK, which most programs still have: what each of them
// needs works against upstreams of every dialect.
import { describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic-3";
import { createGoogleGenerativeAI } from "@ai-sdk/google-3";
import { createOpenAI } from "@ai-sdk/openai-3";
import { Anthropic } from "@anthropic-ai/sdk-0";
import { GoogleGenAI } from "@google/genai-2";
import { generateText, jsonSchema, type LanguageModel, streamText, tool } from "ai-6";
import { AzureOpenAI, OpenAI } from "openai-6";
import { dialects, modelOf, startTapped } from "../harness/dialects.ts";
import { rootKey } from "../harness/gateway.ts";
import { placeSchema } from "../harness/samples.ts";
import { useStand } from "../harness/nodes/stand.ts";

const stand = useStand(() => startTapped("distribution: { failures_to_eject: 1000 }"));

interface Asked {
  key: string;
  model: string;
  text: string;
  offersTool: boolean;
}

interface Heard {
  text: string;
  tools: string[];
}

/** One client's answer, whole or streamed. */
type Client = (asked: Asked, stream: boolean) => Promise<Heard>;

const name = "find_city";
const description = "Finds a city";
const place = jsonSchema<{ city: string }>(placeSchema);

globalThis.AI_SDK_LOG_WARNINGS = false;

const clients: Readonly<Record<string, Client>> = {
  "openai 6, chat": byChat(openai),
  "openai 6, responses": byResponses(openai),
  "openai 6, Azure, chat": byChat(azure),
  "openai 6, Azure, responses": byResponses(azure),
  "@anthropic-ai/sdk 0": async ({ key, model, text, offersTool }, stream) => {
    const client = new Anthropic({ apiKey: key, baseURL: stand.gateway.url, maxRetries: 0 });
    const body: Anthropic.MessageCreateParamsNonStreaming = {
      model,
      max_tokens: 2000,
      messages: [{ role: "user", content: text }],
      ...(offersTool && { tools: [{ name, description, input_schema: placeSchema }] }),
    };
    const { content } = stream
      ? await client.messages.stream(body).finalMessage()
      : await client.messages.create(body);
    const texts = content.map((block) => (block.type === "text" ? block.text : ""));
    const tools = content.flatMap((block) => (block.type === "tool_use" ? [block.name] : []));
    return { text: texts.join(""), tools };
  },
  "@google/genai 2": byContents(false),
  "@google/genai 2, Vertex AI": byContents(true),
  "ai 6, openai": byAi((baseURL, apiKey, model) => createOpenAI({ baseURL, apiKey })(model)),
  "ai 6, anthropic": byAi((baseURL, apiKey, model) => createAnthropic({ baseURL, apiKey })(model)),
  "ai 6, google": byAi((baseURL, apiKey, model) =>
    createGoogleGenerativeAI({ baseURL, apiKey })(model),
  ),
};

function byChat(make: (key: string) => OpenAI): Client {
  return async ({ key, model, text, offersTool }, stream) => {
    const client = make(key);
    const body: OpenAI.ChatCompletionCreateParamsNonStreaming = {
      model,
      messages: [{ role: "user", content: text }],
      ...(offersTool && {
        tools: [{ type: "function", function: { name, description, parameters: placeSchema } }],
      }),
    };
    const { choices } = stream
      ? await client.chat.completions.stream({ ...body, stream: true }).finalChatCompletion()
      : await client.chat.completions.create(body);
    const { content, tool_calls = [] } = choices[0]?.message ?? {};
    const tools = tool_calls.map((call) => (call.type === "function" ? call.function.name : ""));
    return { text: content ?? "", tools };
  };
}

function byResponses(make: (key: string) => OpenAI): Client {
  return async ({ key, model, text, offersTool }, stream) => {
    const client = make(key);
    const body: OpenAI.Responses.ResponseCreateParamsNonStreaming = {
      model,
      input: text,
      ...(offersTool && {
        tools: [{ type: "function", name, description, parameters: placeSchema, strict: false }],
      }),
    };
    const { output, output_text } = stream
      ? await client.responses.stream({ ...body, stream: true }).finalResponse()
      : await client.responses.create(body);
    const calls = output.flatMap((item) => (item.type === "function_call" ? [item.name] : []));
    return { text: output_text ?? "", tools: calls };
  };
}

function byContents(vertexai: boolean): Client {
  return async ({ key, model, text, offersTool }, stream) => {
    const httpOptions = { baseUrl: stand.gateway.url };
    const { models } = new GoogleGenAI({ vertexai, apiKey: key, httpOptions });
    const functionDeclarations = [{ name, description, parametersJsonSchema: placeSchema }];
    const body = {
      model,
      contents: text,
      config: offersTool ? { tools: [{ functionDeclarations }] } : {},
    };
    const replies = stream
      ? await Array.fromAsync(await models.generateContentStream(body))
      : [await models.generateContent(body)];
    const parts = replies.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? []);
    return {
      text: parts.map((part) => part.text ?? "").join(""),
      tools: parts.flatMap(({ functionCall }) => functionCall?.name ?? []),
    };
  };
}

function openai(apiKey: string): OpenAI {
  return new OpenAI({ apiKey, baseURL: `${stand.gateway.url}/v1`, maxRetries: 0 });
}

function azure(apiKey: string): OpenAI {
  const endpoint = stand.gateway.url;
  return new AzureOpenAI({ apiKey, endpoint, apiVersion: "2024-10-21", maxRetries: 0 });
}

function byAi(make: (baseUrl: string, key: string, model: string) => LanguageModel): Client {
  return async ({ key, model, text, offersTool }, stream) => {
    const request = {
      model: make(`${stand.gateway.url}/v1`, key, model),
      prompt: text,
      maxRetries: 0,
      ...(offersTool && {
        tools: { [name]: tool({ description, inputSchema: place, execute: ({ city }) => city }) },
      }),
      onError: () => {},
    };
    const made = stream ? streamText(request) : await generateText(request);
    const tools = (await made.toolCalls).map(({ toolName }) => toolName);
    return { text: await made.text, tools };
  };
}

describe.each(Object.entries(clients))("%s", (_name, client) => {
  test.each(dialects)("T16 has its answers and calls from an upstream of %s", async (dialect) => {
    const model = modelOf[dialect];
    for (const stream of [false, true]) {
      const plain = { key: rootKey, model, text: "Where do lighthouses stand?", offersTool: false };
      expect((await client(plain, stream)).text).toContain("You asked about lighthouses");
      const asked = { key: rootKey, model, text: "Use find_city for Lisbon.", offersTool: true };
      expect((await client(asked, stream)).tools).toEqual(["find_city"]);
    }
  });

  test.each([false, true])("N2 throws where its key is wrong (stream: %p)", async (stream) => {
    const asked = { key: "sk-nobody", model: "chatA", text: "hello", offersTool: false };
    await expect(client(asked, stream)).rejects.toThrow();
  });
});
