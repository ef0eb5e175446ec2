// Anthropic's and Google's own clients of Vertex AI, as they are, against upstreams of every dialect.
import { beforeAll, describe, expect, test } from "bun:test";
import { AuthenticationError, BadRequestError, type Anthropic } from "@anthropic-ai/sdk";
import { AnthropicVertex } from "@anthropic-ai/vertex-sdk";
import { ApiError, GoogleGenAI, type GenerateContentResponse } from "@google/genai";
import { OAuth2Client } from "google-auth-library";
import { logRow } from "../../harness/books.ts";
import { dialects, modelOf, startTapped } from "../../harness/dialects.ts";
import { rootKey } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { placeSchema } from "../../harness/samples.ts";

const stand = useStand(() => startTapped());
let anthropic: AnthropicVertex;
const google = new Map<string, GoogleGenAI>();

const [project, location] = ["weirs-and-locks", "us-east5"];

beforeAll(() => {
  anthropic = anthropicOf(rootKey);
  google.set("an API key", expressOf(rootKey));
  google.set("a project", projectOf(rootKey));
});

/** Credential of Google's library whose token is a key of the gateway. */
function authOf(key: string): OAuth2Client {
  const client = new OAuth2Client();
  client.setCredentials({ access_token: key });
  return client;
}

function anthropicOf(key: string): AnthropicVertex {
  return new AnthropicVertex({
    authClient: authOf(key),
    projectId: project,
    region: location,
    baseURL: `${stand.gateway.url}/v1`,
    maxRetries: 0,
  });
}

function expressOf(apiKey: string): GoogleGenAI {
  const httpOptions = { baseUrl: stand.gateway.url };
  return new GoogleGenAI({ vertexai: true, apiKey, httpOptions });
}

function projectOf(key: string): GoogleGenAI {
  return new GoogleGenAI({
    vertexai: true,
    project,
    location,
    googleAuthOptions: { authClient: authOf(key) },
    httpOptions: { baseUrl: stand.gateway.url },
  });
}

function clientBy(way: string): GoogleGenAI {
  const client = google.get(way);
  if (!client) throw new Error(`no client by ${way}`);
  return client;
}

const question = "Where do lighthouses stand?";

function ask(model: string, content = question): Anthropic.MessageCreateParamsNonStreaming {
  return { model, max_tokens: 2000, messages: [{ role: "user", content }] };
}

async function answer(
  request: Anthropic.MessageCreateParamsNonStreaming,
  stream: boolean,
): Promise<Anthropic.Message> {
  return stream
    ? await anthropic.messages.stream(request).finalMessage()
    : await anthropic.messages.create(request);
}

function textOf({ content }: Anthropic.Message): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

async function thrownBy(call: PromiseLike<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("the call succeeded");
}

async function streamed(
  client: GoogleGenAI,
  model: string,
): Promise<{ text: string; last: GenerateContentResponse | null }> {
  let text = "";
  let last: GenerateContentResponse | null = null;
  for await (const part of await client.models.generateContentStream({
    model,
    contents: question,
  })) {
    text += part.text ?? "";
    last = part;
  }
  return { text, last };
}

describe.each(dialects)("Claude's address on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("N41 Anthropic's client gets the same answer whole and streamed", async () => {
    const whole = await answer(ask(model), false);
    const pieced = await answer(ask(model), true);
    expect(whole).toMatchObject({ type: "message", model, stop_reason: "end_turn" });
    expect(textOf(whole)).toStartWith("You asked about lighthouses");
    expect(textOf(pieced)).toBe(textOf(whole));
    expect(pieced.usage.output_tokens).toBe(whole.usage.output_tokens);
  });

  test.each([false, true])("N41 Anthropic's client calls tools (stream: %p)", async (stream) => {
    const tools = [{ name: "find_city", description: "Finds a city", input_schema: placeSchema }];
    const made = await answer({ ...ask(model, "How far is it to Lisbon?"), tools }, stream);
    expect(made.content.find((block) => block.type === "tool_use")).toMatchObject({
      name: "find_city",
      input: { city: "Lisbon" },
    });
  });

  test("N41 Anthropic's client counts tokens", async () => {
    const { messages } = ask(model);
    const { input_tokens: counted } = await anthropic.messages.countTokens({ model, messages });
    const { usage } = await answer(ask(model), false);
    expect(counted).toBeWithin(usage.input_tokens * 0.6, usage.input_tokens * 1.6);
  });

  test("N41 it is charged and logged as a message is", async () => {
    const plain = await logRow(stand.gateway, await stand.gateway.post("/v1/messages", ask(model)));
    const { response } = await anthropic.messages.create(ask(model)).withResponse();
    const row = await logRow(stand.gateway, response);
    expect(row).toMatchObject({ model, status: 200, micros: plain.micros });
    expect(row.micros).toBeGreaterThan(0);
  });
});

const ways = dialects.flatMap((dialect) =>
  ["an API key", "a project"].map((way) => [dialect, way] as const),
);

describe.each(ways)("Gemini's address on an upstream that speaks %s, with %s", (dialect, way) => {
  const model = modelOf[dialect];

  test("N41 Google's client gets the same answer whole and streamed", async () => {
    const client = clientBy(way);
    const whole = await client.models.generateContent({ model, contents: question });
    expect(whole.text).toStartWith("You asked about lighthouses");
    const { text, last } = await streamed(client, model);
    expect(text).toBe(whole.text ?? "");
    expect(last?.usageMetadata?.candidatesTokenCount).toBe(
      whole.usageMetadata?.candidatesTokenCount,
    );
  });

  test("N41 Google's client calls functions and counts tokens", async () => {
    const client = clientBy(way);
    const declared = { name: "find_city", parametersJsonSchema: placeSchema };
    const made = await client.models.generateContent({
      model,
      contents: "How far is it to Lisbon?",
      config: { tools: [{ functionDeclarations: [declared] }] },
    });
    expect(made.functionCalls?.[0]).toMatchObject({ name: "find_city", args: { city: "Lisbon" } });
    const { totalTokens } = await client.models.countTokens({ model, contents: question });
    expect(totalTokens).toBeGreaterThan(2);
  });
});

const embedding = "gemini-embedding-2-preview";
const older = "text-embedding-005";

beforeAll(async () => {
  await stand.gateway.control("POST", "/api/channel", {
    name: "embedding",
    type: "google",
    base_url: `${stand.tap.url}/google`,
    key: "sk-sandbox-content",
    models: [embedding, older],
    model_mapping: { [embedding]: "gemini-embedding-001", [older]: "gemini-embedding-001" },
    allow_private: true,
  });
  for (const model of [embedding, older]) {
    await stand.gateway.control("POST", "/api/price", { model, call_micros: 5 });
  }
});

test.each(["an API key", "a project"])("N41 Google's client embeds, with %s", async (way) => {
  const { embeddings } = await clientBy(way).models.embedContent({
    model: embedding,
    contents: "The weir held.",
    config: { outputDimensionality: 256 },
  });
  expect(embeddings?.[0]?.values).toHaveLength(256);
  expect(stand.tap.bodies.at(-1)).not.toHaveProperty("embedContentConfig");
});

test.each(["an API key", "a project"])("N41 Google's client predicts, with %s", async (way) => {
  const { embeddings } = await clientBy(way).models.embedContent({
    model: older,
    contents: ["The weir held.", "The lock did not."],
    config: { outputDimensionality: 256 },
  });
  expect(embeddings?.map(({ values }) => values?.length)).toEqual([256, 256]);
});

test.each(["an API key", "a project"])("N41 Google's client lists models, with %s", async (way) => {
  const { models } = clientBy(way);
  const names: string[] = [];
  for await (const { name } of await models.list({ config: { pageSize: 3 } })) {
    names.push(name ?? "");
  }
  const name = `publishers/google/models/${modelOf.content}`;
  expect(names).toContain(name);
  expect(new Set(names).size).toBe(names.length);
  expect(await models.get({ model: modelOf.content })).toMatchObject({ name });
  const { text } = await models.generateContent({ model: name, contents: question });
  expect(text).toStartWith("You asked about lighthouses");
});

describe("errors", () => {
  test("N41 Anthropic's client throws its own classes", async () => {
    const nobody = await thrownBy(anthropicOf("sk-nobody").messages.create(ask(modelOf.chat)));
    expect(nobody).toBeInstanceOf(AuthenticationError);
    const wrong = { ...ask(modelOf.chat), temperature: "hot" as never };
    const refused = await thrownBy(anthropic.messages.create(wrong));
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(String(refused)).toContain("temperature");
  });

  test.each(["an API key", "a project"])("N41 Google's client throws its own (%s)", async (way) => {
    const client = way === "a project" ? projectOf("sk-nobody") : expressOf("sk-nobody");
    const call = client.models.generateContent({ model: modelOf.chat, contents: question });
    const nobody = await thrownBy(call);
    expect(nobody).toBeInstanceOf(ApiError);
    expect(nobody).toMatchObject({ status: 401 });
  });
});
