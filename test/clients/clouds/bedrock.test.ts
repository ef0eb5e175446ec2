// Anthropic's and Amazon's own clients of Bedrock, as they are, against upstreams of every dialect.
import { beforeAll, describe, expect, test } from "bun:test";
import { AnthropicBedrock } from "@anthropic-ai/bedrock-sdk";
import { APIError, AuthenticationError, BadRequestError, type Anthropic } from "@anthropic-ai/sdk";
import {
  BedrockRuntimeClient,
  BedrockRuntimeServiceException,
  InvokeModelCommand,
  InvokeModelWithResponseStreamCommand,
  ResourceNotFoundException,
  ValidationException,
} from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { logRow } from "../../harness/books.ts";
import { dialects, modelOf, startTapped } from "../../harness/dialects.ts";
import { rootKey } from "../../harness/gateway.ts";
import { useStand } from "../../harness/nodes/stand.ts";
import { placeSchema } from "../../harness/samples.ts";

const stand = useStand(() => startTapped("distribution: { failures_to_eject: 1000 }"));
let client: AnthropicBedrock;
let aws: BedrockRuntimeClient;

/** Names as clouds have them; the last is of an inference profile. */
const profile = "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.claude";
const clouded = ["us.anthropic.claude-sonnet-v1:0", "claude-sonnet@20250929", profile];

beforeAll(async () => {
  client = clientOf(rootKey);
  aws = awsOf(rootKey);
  await stand.gateway.control("POST", "/api/channel", {
    name: "clouded",
    type: "anthropic",
    base_url: `${stand.tap.url}/anthropic`,
    key: "sk-sandbox-messages",
    models: clouded,
    model_mapping: Object.fromEntries(clouded.map((name) => [name, modelOf.messages])),
    allow_private: true,
  });
  for (const model of clouded) {
    await stand.gateway.control("POST", "/api/price", { model, call_micros: 5 });
  }
});

function clientOf(apiKey: string): AnthropicBedrock {
  return new AnthropicBedrock({ apiKey, baseURL: stand.gateway.url, maxRetries: 0 });
}

function awsOf(token: string): BedrockRuntimeClient {
  return new BedrockRuntimeClient({
    region: "us-east-1",
    endpoint: stand.gateway.url,
    token: { token },
    authSchemePreference: ["httpBearerAuth"],
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler(),
  });
}

const question = "Where do lighthouses stand?";

function ask(model: string, content = question): Anthropic.MessageCreateParamsNonStreaming {
  return { model, max_tokens: 2000, messages: [{ role: "user", content }] };
}

const tools = [{ name: "find_city", description: "Finds a city", input_schema: placeSchema }];

type Message = Anthropic.Message;

async function answer(
  request: Anthropic.MessageCreateParamsNonStreaming,
  stream: boolean,
): Promise<Message> {
  return stream
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
}

function textOf({ content }: Pick<Message, "content">): string {
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

/** Body of InvokeModel, as users of Amazon's client write it. */
function invoked(content = question) {
  const { messages } = ask("", content);
  return JSON.stringify({
    anthropic_version: "bedrock-2023-05-31",
    anthropic_beta: ["context-1m-2025-08-07"],
    max_tokens: 2000,
    messages,
  });
}

/** Events of a stream, as Amazon's client hands them on. */
async function eventsOf(model: string, content?: string): Promise<Anthropic.MessageStreamEvent[]> {
  const command = new InvokeModelWithResponseStreamCommand({
    modelId: model,
    body: invoked(content),
  });
  const events: Anthropic.MessageStreamEvent[] = [];
  for await (const { chunk } of (await aws.send(command)).body ?? []) {
    events.push(JSON.parse(new TextDecoder().decode(chunk?.bytes)));
  }
  return events;
}

function saidIn(events: readonly Anthropic.MessageStreamEvent[]): string {
  const pieces = events.map((event) =>
    event.type === "content_block_delta" && event.delta.type === "text_delta"
      ? event.delta.text
      : "",
  );
  return pieces.join("");
}

describe.each(dialects)("InvokeModel on an upstream that speaks %s", (dialect) => {
  const model = modelOf[dialect];

  test("N41 Anthropic's client gets the same answer whole and streamed", async () => {
    const whole = await answer(ask(model), false);
    const streamed = await answer(ask(model), true);
    expect(whole).toMatchObject({ type: "message", model, stop_reason: "end_turn" });
    expect(textOf(whole)).toStartWith("You asked about lighthouses");
    expect(textOf(streamed)).toBe(textOf(whole));
    expect(streamed.usage.output_tokens).toBe(whole.usage.output_tokens);
    expect(streamed.usage.input_tokens).toBe(whole.usage.input_tokens);
  });

  test.each([false, true])("N41 a tool loop comes to its end (stream: %p)", async (stream) => {
    const request = { ...ask(model, "How far is it to Lisbon?"), tools };
    const first = await answer(request, stream);
    const call = first.content.find((block) => block.type === "tool_use");
    expect(call).toMatchObject({ name: "find_city", input: { city: "Lisbon" } });
    const result = { type: "tool_result" as const, tool_use_id: call?.id ?? "", content: "300 km" };
    const second = await answer(
      {
        ...request,
        messages: [
          ...request.messages,
          { role: "assistant", content: first.content },
          { role: "user", content: [result] },
        ],
      },
      stream,
    );
    expect(textOf(second)).toContain("300 km");
  });

  test("N41 Amazon's client gets the same answer whole and streamed", async () => {
    const reply = await aws.send(new InvokeModelCommand({ modelId: model, body: invoked() }));
    const message = JSON.parse(reply.body.transformToString()) as Message;
    expect(textOf(message)).toStartWith("You asked about lighthouses");
    const events = await eventsOf(model);
    expect(events[0]?.type).toBe("message_start");
    expect(events.at(-1)?.type).toBe("message_stop");
    expect(saidIn(events)).toBe(textOf(message));
  });

  test("N41 it is charged and logged as a message is, whole and streamed", async () => {
    const plain = await stand.gateway.post("/v1/messages", ask(model));
    const expected = await logRow(stand.gateway, plain);
    expect(expected.micros).toBeGreaterThan(0);
    for (const path of ["invoke", "invoke-with-response-stream"]) {
      const { model: _model, ...body } = ask(model);
      const response = await stand.gateway.post(`/model/${model}/${path}`, body);
      await response.bytes();
      const row = await logRow(stand.gateway, response);
      const { micros } = expected;
      expect([path, row]).toMatchObject([path, { model, status: 200, micros }]);
    }
  });

  test("N41 a stream that breaks ends in an exception", async () => {
    const broken = `sandbox:error-after=3 ${question}`;
    const bySdk = await thrownBy(answer(ask(model, broken), true));
    expect(bySdk).toBeInstanceOf(APIError);
    const byAws = await thrownBy(eventsOf(model, broken));
    expect(byAws).toBeInstanceOf(BedrockRuntimeServiceException);
  });
});

describe("the address and the body", () => {
  test.each(clouded)("N41 a model may be called %s", async (model) => {
    for (const stream of [false, true]) {
      expect(textOf(await answer(ask(model), stream))).toStartWith("You asked about lighthouses");
    }
    const reply = await aws.send(new InvokeModelCommand({ modelId: model, body: invoked() }));
    const message = JSON.parse(reply.body.transformToString()) as Message;
    expect(textOf(message)).toStartWith("You asked about lighthouses");
  });

  test("N41 the version and the betas reach the vendor as headers, and not in the body", async () => {
    const [model] = clouded;
    const betas = ["context-1m-2025-08-07", "files-api-2025-04-14"];
    await client.beta.messages.create({ ...ask(model ?? ""), betas });
    const [body, headers] = [stand.tap.bodies.at(-1), stand.tap.heads.at(-1)];
    expect(headers?.get("anthropic-beta")?.split(/,\s*/)).toEqual(betas);
    expect(headers?.get("anthropic-version")).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(body).not.toHaveProperty("anthropic_beta");
    expect(body).not.toHaveProperty("anthropic_version");
  });

  test.each([
    [{ anthropic_version: 3 }, "anthropic_version"],
    [{ anthropic_beta: "a,b" }, "anthropic_beta"],
    [{ anthropic_beta: ["a", "b\r\nx-evil: 1"] }, "anthropic_beta.1"],
    [{ messages: [] }, "messages"],
  ])("N41 a wrong field %j is refused by its name", async (field, param) => {
    const body = { ...JSON.parse(invoked()), ...field };
    for (const path of ["invoke", "invoke-with-response-stream"]) {
      const response = await stand.gateway.post(`/model/${modelOf.chat}/${path}`, body);
      expect(response.status).toBe(400);
      expect(response.headers.get("x-amzn-errortype")).toBe("ValidationException");
      expect(await response.json()).toMatchObject({ param, message: expect.any(String) });
    }
  });
});

describe("errors", () => {
  test("N41 Anthropic's client throws its own classes", async () => {
    const nobody = await thrownBy(clientOf("sk-nobody").messages.create(ask(modelOf.chat)));
    expect(nobody).toBeInstanceOf(AuthenticationError);
    const { key } = await stand.gateway.customer(1);
    const poor = await thrownBy(clientOf(key).messages.create(ask(modelOf.chat)));
    expect(poor).toMatchObject({ status: 402 });
    const wrong = { ...ask(modelOf.chat), temperature: "hot" as never };
    const refused = await thrownBy(client.messages.create(wrong));
    expect(refused).toBeInstanceOf(BadRequestError);
    expect(String(refused)).toContain("temperature");
  });

  test("N41 Amazon's client throws its own classes", async () => {
    const send = (modelId: string, body = invoked()) =>
      thrownBy(aws.send(new InvokeModelCommand({ modelId, body })));
    const wrong = await send(modelOf.chat, '{"max_tokens": 5}');
    expect(wrong).toBeInstanceOf(ValidationException);
    expect(String(wrong)).toContain("messages");
    expect(await send("nothing")).toBeInstanceOf(ResourceNotFoundException);
    const command = new InvokeModelCommand({ modelId: modelOf.chat, body: invoked() });
    const nobody = await thrownBy(awsOf("sk-nobody").send(command));
    expect(nobody).toMatchObject({ name: "UnrecognizedClientException" });
  });

  test("A10 a signature of AWS opens nothing, and is told what to send", async () => {
    const credentials = { accessKeyId: "AKIAEXAMPLE", secretAccessKey: rootKey };
    const signing = new BedrockRuntimeClient({
      region: "us-east-1",
      endpoint: stand.gateway.url,
      credentials,
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    });
    const command = new InvokeModelCommand({ modelId: modelOf.chat, body: invoked() });
    const signed = await thrownBy(signing.send(command));
    expect(signed).toMatchObject({ name: "UnrecognizedClientException" });
    expect(String(signed)).toContain("AWS_BEARER_TOKEN_BEDROCK");
    const anthropic = new AnthropicBedrock({
      awsAccessKey: "AKIAEXAMPLE",
      awsSecretKey: rootKey,
      baseURL: stand.gateway.url,
      maxRetries: 0,
    });
    const also = await thrownBy(anthropic.messages.create(ask(modelOf.chat)));
    expect(also).toBeInstanceOf(AuthenticationError);
    expect(String(also)).toContain("bearer");
  });
});
