// The official client of Azure OpenAI, as it is, against upstreams of every dialect.
import { beforeAll, describe, expect, test } from "bun:test";
import { APIError, AuthenticationError, AzureOpenAI, BadRequestError, OpenAI } from "openai";
import { logRow } from "../../harness/books.ts";
import { dialects, modelOf, startTapped } from "../../harness/dialects.ts";
import { rootKey } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { placeSchema } from "../../harness/samples.ts";

const stand = useStand(() => startTapped());
let client: AzureOpenAI;

beforeAll(() => {
  client = clientOf(rootKey);
});

const apiVersion = "2026-08-01-preview";

function clientOf(apiKey: string, deployment?: string): AzureOpenAI {
  const endpoint = stand.gateway.url;
  return new AzureOpenAI({
    apiKey,
    endpoint,
    apiVersion,
    maxRetries: 0,
    ...(deployment !== undefined && { deployment }),
  });
}

const question = "Where do lighthouses stand?";

function ask(model: string, content = question) {
  return { model, messages: [{ role: "user" as const, content }] };
}

const tools = [
  {
    type: "function" as const,
    function: { name: "find_city", description: "Finds a city", parameters: placeSchema },
  },
];

async function apiErrorOf(call: PromiseLike<unknown>): Promise<APIError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof APIError) return error;
    throw error;
  }
  throw new Error("the call succeeded");
}

describe.each(dialects)("a deployment on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("N41 answers, whole and streamed, with the same text and usage", async () => {
    const whole = await client.chat.completions.create(ask(model));
    const said = whole.choices[0]?.message.content ?? "";
    expect(said).toStartWith("You asked about lighthouses");
    const stream = client.chat.completions.stream({
      ...ask(model),
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    expect(streamed.choices[0]?.message.content).toBe(said);
    expect(streamed.usage?.total_tokens).toBe(whole.usage?.total_tokens);
  });

  test.each([false, true])("N41 calls tools (stream: %p)", async (stream) => {
    const request = { ...ask(model, "How far is it to Lisbon?"), tools };
    const made = stream
      ? await client.chat.completions.stream(request).finalChatCompletion()
      : await client.chat.completions.create(request);
    const [call] = made.choices[0]?.message.tool_calls ?? [];
    expect(call).toMatchObject({ function: { name: "find_city" } });
  });

  test.each([false, true])("N41 has responses (stream: %p)", async (stream) => {
    const request = { model, input: question };
    const made = stream
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request);
    expect(made.output_text).toStartWith("You asked about lighthouses");
  });

  test("N41 is charged and logged as by any other address", async () => {
    const plain = new OpenAI({ apiKey: rootKey, baseURL: `${stand.gateway.url}/v1` });
    const [byDeployment, byPlain] = await Promise.all(
      [client, plain].map(async (one) => {
        const { response } = await one.chat.completions.create(ask(model)).withResponse();
        return await logRow(stand.gateway, response);
      }),
    );
    expect(byDeployment).toMatchObject({ model, status: 200, micros: byPlain?.micros });
    expect(byDeployment?.micros).toBeGreaterThan(0);
  });
});

describe("the address", () => {
  test("N41 decides the model, whatever the body says", async () => {
    const named = clientOf(rootKey, modelOf.messages);
    const made = await named.chat.completions.create(ask("gpt-of-another-name"));
    expect(made.model).toBe(modelOf.messages);
  });

  test("N41 of a stored response leads to it", async () => {
    const { id } = await client.responses.create({ model: modelOf.responses, input: question });
    expect((await client.responses.retrieve(id)).id).toBe(id);
  });

  test("N41 under /openai/v1 is for every client of OpenAI, by either carrier", async () => {
    const baseURL = `${stand.gateway.url}/openai/v1`;
    const bearer = new OpenAI({ apiKey: rootKey, baseURL });
    const azure = new AzureOpenAI({ apiKey: rootKey, baseURL, apiVersion, deployment: "" });
    for (const one of [bearer, azure]) {
      const ids = (await one.models.list()).data.map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining(Object.values(modelOf)));
    }
    const made = await bearer.chat.completions.create(ask(modelOf.chat));
    expect(made.choices[0]?.message.content).toStartWith("You asked about lighthouses");
  });

  test("N41 has completions, embeddings and the list of models", async () => {
    const done = await client.completions.create({ model: modelOf.chat, prompt: question });
    expect(done.choices[0]?.text).not.toBeEmpty();
    const { data } = await client.embeddings.create({ model: "embedA", input: "weir" });
    expect(data[0]?.embedding.length).toBeGreaterThan(2);
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(Object.values(modelOf)));
    expect((await client.models.retrieve(modelOf.chat)).id).toBe(modelOf.chat);
  });
});

describe("errors", () => {
  test("N41 are those of OpenAI's wire", async () => {
    const unknown = await apiErrorOf(client.chat.completions.create(ask("nothing")));
    expect(unknown).toMatchObject({ status: 503, code: "model_not_found" });
    const wrong = { ...ask(modelOf.chat), temperature: "hot" as never };
    const refused = await apiErrorOf(client.chat.completions.create(wrong));
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(refused).toMatchObject({ param: "temperature" });
    const nobody = await apiErrorOf(clientOf("sk-nobody").chat.completions.create(ask("chatA")));
    expect(nobody).toBeInstanceOf(AuthenticationError);
    const { key } = await stand.gateway.customer(1);
    const poor = await apiErrorOf(clientOf(key).chat.completions.create(ask("chatA")));
    expect(poor).toMatchObject({ status: 402, code: "insufficient_user_quota" });
  });
});
