// Amazon's and Anthropic's own clients against the practice cloud: what they take for an answer of
// Bedrock is one, and what they sign is believed.
import { afterAll, describe, expect, test } from "bun:test";
import { AnthropicBedrock } from "@anthropic-ai/bedrock-sdk";
import {
  BedrockRuntimeClient,
  ConverseCommand,
  ConverseStreamCommand,
  InvokeModelCommand,
  type ConverseCommandInput,
} from "@aws-sdk/client-bedrock-runtime";
import { NodeHttpHandler } from "@smithy/node-http-handler";
import { systemClock, systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

const sandbox = startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 });
afterAll(() => sandbox.close());

const modelId = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const endpoint = `${sandbox.url}/bedrock`;
const pair = { accessKeyId: "AKIASANDBOX", secretAccessKey: "secret-of-AKIASANDBOX" };

function client(credentials = pair): BedrockRuntimeClient {
  // Over HTTP/2 without TLS, which is its way unless it is told, nothing is served here.
  const requestHandler = new NodeHttpHandler();
  const region = "us-east-1";
  return new BedrockRuntimeClient({
    region,
    endpoint,
    credentials,
    requestHandler,
    maxAttempts: 1,
  });
}

const say = (text: string): ConverseCommandInput => ({
  modelId,
  messages: [{ role: "user", content: [{ text }] }],
});

describe("Amazon's client", () => {
  test("has a whole answer, with the cache inside its total", async () => {
    const { output, usage, stopReason } = await client().send(new ConverseCommand(say("Rivers?")));
    expect(output?.message?.content?.[0]?.text).toContain("Rivers");
    expect(stopReason).toBe("end_turn");
    expect(usage?.totalTokens).toBe((usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0));
  });

  test("has a stream, and its report last", async () => {
    const { stream } = await client().send(new ConverseStreamCommand(say("Rivers?")));
    const names: string[] = [];
    let text = "";
    for await (const event of stream ?? []) {
      names.push(...Object.keys(event));
      text += event.contentBlockDelta?.delta?.text ?? "";
    }
    expect(text).toContain("Rivers");
    expect(names[0]).toBe("messageStart");
    expect(names.slice(-2)).toEqual(["messageStop", "metadata"]);
  });

  test("meets an exception in the midst of a stream", async () => {
    const { stream } = await client().send(
      new ConverseStreamCommand(say("Rivers? sandbox:throttle-midst")),
    );
    const read = async () => {
      for await (const _event of stream ?? []);
    };
    const error: unknown = await read().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "ThrottlingException" });
  });

  test("invokes a model with Anthropic's body", async () => {
    const messages = [{ role: "user", content: "Rivers?" }];
    const body = { anthropic_version: "bedrock-2023-05-31", max_tokens: 50, messages };
    const command = new InvokeModelCommand({ modelId, body: JSON.stringify(body) });
    const { body: bytes } = await client().send(command);
    expect(JSON.parse(new TextDecoder().decode(bytes))).toMatchObject({ type: "message" });
  });

  test.each([
    ["sandbox:status=429", "ThrottlingException"],
    ["sandbox:quota-exceeded", "ServiceQuotaExceededException"],
    ["sandbox:not-ready", "ModelNotReadyException"],
  ])("meets %s as %s", async (directive, name) => {
    const error: unknown = await client()
      .send(new ConverseCommand(say(`Rivers? ${directive}`)))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name });
  });

  test("is refused where its secret is another", async () => {
    const wrong = { ...pair, secretAccessKey: "secret-of-somebody" };
    const error: unknown = await client(wrong)
      .send(new ConverseCommand(say("Rivers?")))
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "InvalidSignatureException" });
  });
});

describe("Anthropic's client", () => {
  const anthropic = new AnthropicBedrock({
    awsRegion: "us-east-1",
    awsAccessKey: pair.accessKeyId,
    awsSecretKey: pair.secretAccessKey,
    baseURL: endpoint,
    maxRetries: 0,
  });
  const ask = {
    model: modelId,
    max_tokens: 200,
    messages: [{ role: "user" as const, content: "Rivers?" }],
  };

  test("has a whole message and a streamed one, which say the same", async () => {
    const whole = await anthropic.messages.create(ask);
    const stream = await anthropic.messages.create({ ...ask, stream: true });
    let text = "";
    for await (const event of stream) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
        text += event.delta.text;
      }
    }
    expect(text).toContain("Rivers");
    expect(whole.content).toMatchObject([{ type: "text", text }]);
  });
});
