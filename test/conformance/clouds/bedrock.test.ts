// Bedrock as an upstream, against the sandbox's: each of its wires, keys that are sent and keys that
// sign, streams that break, what is charged, and what becomes of each of its errors.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "bun:test";
import { startSandbox } from "../../../sandbox/server.ts";
import { encodeFrame } from "../../../src/core/frames/event-stream.ts";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { eventually, logRow } from "../../harness/books.ts";
import { readStream } from "../../harness/event-stream.ts";
import { startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { Vendor } from "../../harness/vendor.ts";

const config = `
sandbox: "off"
unpriced: free
timeouts: { first_byte_ms: 5000, stall_ms: 5000 }
distribution: { failures_to_eject: 1000000, retry_budget_percent: 100 }
prices:
  - model: counted
    input_micros_per_million: 1000000
    output_micros_per_million: 100000000
    cache_read_micros_per_million: 100000
    cache_write_micros_per_million: 2000000
    cache_write_1h_micros_per_million: 4000000
`;
const sandbox = kept(
  startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 0 }),
);
const cloud = `${sandbox.url}/bedrock`;
const claude = "us.anthropic.claude-sonnet-4-5-20250929-v1:0";
const workspace = "wrkspc_1";
const folder = mkdtempSync(join(tmpdir(), "sluice-bedrock-"));
const tokenFile = join(folder, "token");
writeFileSync(tokenFile, "cluster-token\n");
afterAll(() => rmSync(folder, { recursive: true }));
const environment = {
  AWS_EC2_METADATA_SERVICE_ENDPOINT: cloud,
  AWS_CONTAINER_CREDENTIALS_FULL_URI: `${cloud}/container`,
  AWS_CONTAINER_AUTHORIZATION_TOKEN: "sandbox-container-token",
  AWS_WEB_IDENTITY_TOKEN_FILE: tokenFile,
  AWS_ROLE_ARN: "arn:aws:iam::1:role/cluster",
};
const gateway = useStand(() => startGateway({ config, environment, oneProcess: "judgement" }));

interface ChannelShown {
  id: string;
  keys: { status: string; reason: string | null }[];
}

let count = 0;

/** A channel of its own, and a model that it alone serves. */
async function addBedrock(fields: Record<string, unknown> = {}) {
  const model = `bedrock-${++count}`;
  const { id } = await gateway.control<ChannelShown>("POST", "/api/channel", {
    name: `channel ${count}`,
    type: "bedrock",
    base_url: cloud,
    key: `api-key-${count}`,
    models: [model],
    model_mapping: { [model]: claude },
    allow_private: true,
    vendor: { workspace },
    ...fields,
  });
  return { id, model };
}

function ask(model: string, content: string, fields: object = {}): object {
  return { model, messages: [{ role: "user", content }], ...fields };
}

async function chat(model: string, content: string, fields: object = {}): Promise<Response> {
  return await gateway.post("/v1/chat/completions", ask(model, content, fields));
}

async function textOf(response: Response): Promise<string> {
  const body = (await response.json()) as { choices?: { message: { content: string } }[] };
  return body.choices?.[0]?.message.content ?? JSON.stringify(body);
}

async function streamedText(response: Response): Promise<string> {
  const { data } = await readStream(response);
  const chunks = data
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { choices?: { delta: { content?: string } }[] });
  return chunks.map(({ choices = [] }) => choices[0]?.delta.content ?? "").join("");
}

const wires: [string, Record<string, unknown>][] = [
  ["InvokeModel", {}],
  ["Converse", { format: "converse" }],
  ["Mantle's messages", { format: "messages", base_url: `${cloud}/anthropic` }],
  ["Mantle's chat", { format: "chat", model_mapping: {} }],
  [
    "Mantle's responses",
    { format: "responses", base_url: `${cloud}/openai/v1`, model_mapping: {} },
  ],
  [
    "Claude Platform on AWS",
    { format: "messages", base_url: `${cloud}/aws-external-anthropic`, model_mapping: {} },
  ],
];
/** Words that the channel's key may be, each by another way to a signature or a bearer. */
const keys: [string, Record<string, unknown>][] = [
  ["an API key", {}],
  ["a pair that signs", { key: "AKIASANDBOX:secret-of-AKIASANDBOX" }],
  [
    "a role",
    {
      key: "AKIASANDBOX:secret-of-AKIASANDBOX",
      vendor: { workspace, role_arn: "arn:aws:iam::1:role/r", authority: `${cloud}/sts` },
    },
  ],
  ["the instance", { key: "instance" }],
  ["the container", { key: "container" }],
  ["the cluster", { key: "web_identity", vendor: { workspace, authority: `${cloud}/sts` } }],
];

describe.each(keys)("with %s", (_key, keyFields) => {
  test.each(wires)(
    "a client of chat is answered by %s, whole and streamed",
    async (_wire, wire) => {
      const { model } = await addBedrock({ ...wire, ...keyFields });
      const whole = await chat(model, "Rivers?");
      expect(whole.status).toBe(200);
      expect(await textOf(whole)).toContain("Rivers");
      const streamed = await chat(model, "Rivers?", { stream: true });
      expect(streamed.status).toBe(200);
      expect(await streamedText(streamed)).toContain("Rivers");
    },
  );
});

/** An address of a wire that is not told from the runtime's has the runtime's list. */
const listed = wires.filter(([name]) => name !== "Mantle's responses");

test.each(listed)("the list of models is had by %s with a key that signs", async (_wire, wire) => {
  const { id } = await addBedrock({ ...wire, key: "AKIASANDBOX:secret-of-AKIASANDBOX" });
  const { models } = await gateway.control<{ models: { model: string }[] }>(
    "POST",
    "/api/channel/discover",
    { id },
  );
  expect(models.length).toBeGreaterThan(0);
});

test("a client of messages gets the events of InvokeModel as they are, without the cloud's", async () => {
  const { model } = await addBedrock();
  const body = ask(model, "Rivers?", { max_tokens: 50, stream: true });
  const response = await gateway.post("/v1/messages", body);
  const text = await response.text();
  expect(text).toContain("event: message_start\ndata: ");
  expect(text).toContain('event: message_stop\ndata: {"type":"message_stop"}\n\n');
  expect(text).not.toContain("amazon");
});

describe("a count of tokens", () => {
  const counted = async (model: string) => {
    const before = sandbox.calls().total;
    const response = await gateway.post("/v1/messages/count_tokens", ask(model, "Rivers?"));
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ input_tokens: expect.any(Number) as number });
    const isEstimated = response.headers.get("x-sluice-estimated") === "true";
    return { isEstimated, calls: sandbox.calls().total - before };
  };

  test.each([
    ["InvokeModel", {}],
    ["a key that signs", { key: "AKIASANDBOX:secret-of-AKIASANDBOX" }],
    ["Claude Platform on AWS", { base_url: `${cloud}/aws-external-anthropic` }],
  ])("is the vendor's own by %s, though the model is a profile", async (_wire, wire) => {
    const { model } = await addBedrock(wire);
    expect(await counted(model)).toEqual({ isEstimated: false, calls: 1 });
  });

  test("is made here where the model behind an ARN is not told", async () => {
    const arn = "arn:aws:bedrock:us-east-1:1:application-inference-profile/a1";
    const model = "behind-an-arn";
    await addBedrock({ models: [model], model_mapping: { [model]: arn } });
    expect(await counted(model)).toEqual({ isEstimated: true, calls: 0 });
  });
});

test("tools, thoughts and their signatures go through Converse and come back", async () => {
  const { model } = await addBedrock({ format: "converse" });
  const tools = [{ name: "look", description: "Looks.", input_schema: { type: "object" } }];
  const thinking = { type: "enabled", budget_tokens: 1024 };
  const first = ask(model, "Please use the tool look.", { max_tokens: 4000, tools, thinking });
  const response = await gateway.post("/v1/messages", first);
  const message = (await response.json()) as { content: { type: string; id?: string }[] };
  expect(message.content.map(({ type }) => type)).toContain("thinking");
  const call = message.content.find(({ type }) => type === "tool_use");
  expect(call).toBeDefined();
  const result = { type: "tool_result", tool_use_id: call?.id, content: "A river." };
  const messages = [
    { role: "user", content: "Please use the tool look." },
    { role: "assistant", content: message.content },
    { role: "user", content: [result] },
  ];
  const next = { model, max_tokens: 4000, tools, thinking, messages };
  const answer = await gateway.post("/v1/messages", next);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toContain("A river.");
});

describe.each([
  ["InvokeModel", {}],
  ["Converse", { format: "converse" }],
])("a stream of %s", (_wire, wire) => {
  test.each(["torn-frame", "wrong-crc", "throttle-midst"])(
    "that breaks by %s is broken for the client, and never whole",
    async (directive) => {
      const { model } = await addBedrock(wire);
      const response = await chat(model, `Rivers? sandbox:${directive}`, { stream: true });
      const text = await response.text();
      expect(text).toContain('"error"');
      expect(text).not.toContain("[DONE]");
      expect(await logRow(gateway, response)).toMatchObject({ error_code: "bad_response" });
    },
  );

  test("that begins with an exception goes to the next channel", async () => {
    const { model } = await addBedrock({ ...wire, key: "busy-key", priority: 9 });
    await addBedrock({ ...wire, models: [model], model_mapping: { [model]: claude } });
    const asked = "Rivers? sandbox:throttle-first@busy-key";
    const response = await chat(model, asked, { stream: true });
    expect(await streamedText(response)).toContain("Rivers");
  });
});

test("a stream of Converse without a report is whole, and counted here", async () => {
  const { model } = await addBedrock({ format: "converse" });
  const response = await chat(model, "Rivers? sandbox:no-usage", { stream: true });
  expect(await response.text()).toContain("[DONE]");
  const { output_tokens: tokens } = await logRow(gateway, response);
  expect(tokens).toBeGreaterThan(10);
});

describe("what is charged", () => {
  const usage = {
    inputTokens: 2,
    outputTokens: 5,
    totalTokens: 1329,
    cacheReadInputTokens: 0,
    cacheWriteInputTokens: 1322,
    cacheDetails: [{ ttl: "1h", inputTokens: 1322 }],
  };
  const content = [{ text: "Paris." }];
  const whole = { output: { message: { content } }, stopReason: "end_turn", usage };
  const frame = (type: string, payload: object) =>
    encodeFrame(
      { ":message-type": "event", ":event-type": type },
      new TextEncoder().encode(JSON.stringify(payload)),
    );
  const vendor = kept(
    new Vendor(({ path }, reply) => {
      if (!path.endsWith("converse-stream")) return reply.json(whole);
      const frames = Buffer.concat([
        frame("messageStart", { role: "assistant" }),
        frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text: "Paris." } }),
        frame("messageStop", { stopReason: "end_turn" }),
        frame("metadata", { usage }),
      ]);
      const type = "content-type: application/vnd.amazon.eventstream";
      reply.raw(`HTTP/1.1 200 OK\r\n${type}\r\ncontent-length: ${frames.length}\r\n\r\n`);
      reply.raw(frames);
    }),
  );

  test.each([false, true])(
    "for Converse is the cache once, though its total holds it (stream: %p)",
    async (stream) => {
      const mapped = { models: ["counted"], model_mapping: { counted: claude } };
      await addBedrock({ format: "converse", base_url: vendor.url, ...mapped });
      const padding = "What is the capital? ".repeat(400);
      const { key } = await gateway.customer(10_000_000);
      const body = ask("counted", padding, { stream, max_tokens: 100 });
      const response = await gateway.post("/v1/chat/completions", body, key);
      await response.text();
      const row = await logRow(gateway, response);
      expect(row).toMatchObject({ input_tokens: 1324, cache_write_tokens: 1322, output_tokens: 5 });
      // 2 plain, 1322 written for an hour, 5 of output.
      expect(row.cost_micros).toBe(2 + 1322 * 4 + 500);
    },
  );
});

test("what a channel sets of guardrails and tiers costs nothing beside the tokens", async () => {
  const usage = { inputTokens: 20, outputTokens: 5, totalTokens: 25 };
  const body = {
    output: { message: { role: "assistant", content: [{ text: "I cannot say." }] } },
    stopReason: "guardrail_intervened",
    serviceTier: { type: "priority" },
    performanceConfig: { latency: "optimized" },
    usage,
  };
  using vendor = new Vendor((_request, reply) => reply.json(body));
  const { serviceTier, performanceConfig } = body;
  const guardrailConfig = { guardrailIdentifier: "g1", guardrailVersion: "1" };
  const set = { serviceTier, performanceConfig, guardrailConfig };
  const mapped = { models: ["counted"], model_mapping: { counted: claude } };
  const place = { format: "converse", base_url: vendor.url, priority: 9 };
  await addBedrock({ ...place, ...mapped, parameters: { set } });
  const response = await chat("counted", "What is a sluice?");
  expect(await response.text()).toContain("content_filter");
  expect(vendor.requests[0]?.body).toMatchObject(set);
  const { cost_micros: cost } = await logRow(gateway, response);
  expect(cost).toBe(20 + 500);
});

describe("an error of the cloud", () => {
  const statusesOf = async (id: string) => {
    const { keys: shown } = await gateway.control<ChannelShown>("GET", `/api/channel/${id}`);
    return shown.map(({ status }) => status);
  };

  test.each([
    ["status=429", "busy"],
    ["quota-exceeded", "busy"],
    ["not-ready", "busy"],
    ["tokens-per-day", "busy"],
    ["status=500", "broken"],
    ["status=503", "broken"],
    ["status=424", "broken"],
    ["status=404", "of another model"],
    ["end-of-life", "of another model"],
    ["too-long", "of another size"],
  ])("%s lets the next channel answer", async (directive) => {
    for (const wire of [{}, { format: "converse" }]) {
      const key = `first-${++count}`;
      const { model, id } = await addBedrock({ ...wire, key, priority: 9 });
      await addBedrock({ ...wire, models: [model], model_mapping: { [model]: claude } });
      const response = await chat(model, `Rivers? sandbox:${directive}@${key}`);
      expect(await textOf(response)).toContain("Rivers");
      expect(await statusesOf(id)).toEqual(["enabled"]);
    }
  });

  test("of the request itself is the client's, in the vendor's words, and asks nobody else", async () => {
    const { model } = await addBedrock({ priority: 9 });
    await addBedrock({ models: [model], model_mapping: { [model]: claude } });
    const before = sandbox.calls().total;
    const response = await chat(model, "Rivers? sandbox:status=400");
    expect(response.status).toBe(400);
    expect(sandbox.calls().total).toBe(before + 1);
  });

  test("about a key that is refused puts it out at once, and its sibling answers", async () => {
    const { model, id } = await addBedrock({
      key: undefined,
      keys: ["sk-sandbox-revoked", "good-key"],
    });
    const answers = await Promise.all([chat(model, "Rivers?"), chat(model, "Rivers?")]);
    for (const answer of answers) expect(answer.status).toBe(200);
    await eventually("the key is out", async () => {
      const statuses = await statusesOf(id);
      return statuses.includes("disabled") || statuses.includes("auto_disabled") ? true : undefined;
    });
  });

  test("about rights alone leaves the key in", async () => {
    const { model, id } = await addBedrock();
    const response = await chat(model, "Rivers? sandbox:status=403");
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect((await chat(model, "Rivers?")).status).toBe(200);
    expect(await statusesOf(id)).toEqual(["enabled"]);
  });
});

test("what InvokeModel has not is refused by its field, with nothing sent", async () => {
  const { model } = await addBedrock();
  const before = sandbox.calls().total;
  const source = { type: "url", url: "https://pictures.example/a.png" };
  const content = [{ type: "image", source }];
  const body = { model, max_tokens: 10, messages: [{ role: "user", content }] };
  const response = await gateway.post("/v1/messages", body);
  expect(response.status).toBe(400);
  expect(await response.text()).toContain("messages.0.content.0.source");
  expect(sandbox.calls().total).toBe(before);
});

describe("embeddings", () => {
  const embed = async (model: string, fields: object) => {
    const response = await gateway.post("/v1/embeddings", { model, ...fields });
    return { response, body: (await response.json()) as { data: { embedding: number[] }[] } };
  };
  const mapped = (name: string) => {
    const model = `embedder-${++count}`;
    return { model, fields: { models: [model], model_mapping: { [model]: name } } };
  };

  test("of Titan are made of one text, and counted by the vendor", async () => {
    const { model, fields } = mapped("amazon.titan-embed-text-v2:0");
    await addBedrock(fields);
    const { response, body } = await embed(model, { input: "A river.", dimensions: 4 });
    expect(body.data.map(({ embedding }) => embedding.length)).toEqual([4]);
    expect((await logRow(gateway, response)).input_tokens).toBe(2);
    const before = sandbox.calls().total;
    const several = await embed(model, { input: ["one", "two"] });
    expect(several.response.status).toBe(400);
    expect(several.body).toMatchObject({ error: { param: "input" } });
    expect(sandbox.calls().total).toBe(before);
  });

  test("of Cohere are made of several, and counted here", async () => {
    const { model, fields } = mapped("cohere.embed-v4:0");
    await addBedrock({ ...fields, format: "converse" });
    const { response, body } = await embed(model, { input: ["A river.", "Another."] });
    expect(body.data).toHaveLength(2);
    expect((await logRow(gateway, response)).input_tokens).toBeGreaterThan(2);
  });
});

describe("pictures", () => {
  const pair = { key: "AKIASANDBOX:secret-of-AKIASANDBOX" };

  test.each([
    ["imageA-2", "amazon.nova-canvas-v1:0", {}],
    ["imageA-2-pro", "stability.sd3-5-large-v1:0", pair],
  ])("of %s are drawn by %s, each by a call", async (model, drawer, keyFields) => {
    await addBedrock({ models: [model], model_mapping: { [model]: drawer }, ...keyFields });
    const before = sandbox.calls().total;
    const body = { model, prompt: "A fox.", n: 2, size: "1024x1024", response_format: "b64_json" };
    const response = await gateway.post("/v1/images/generations", body);
    expect(response.status).toBe(200);
    const { data } = (await response.json()) as { data: { b64_json: string }[] };
    expect(new Set(data.map(({ b64_json: base64 }) => base64)).size).toBe(2);
    expect(sandbox.calls().total).toBe(before + 2);
  });

  test("that the mapped model cannot make are refused by their field, with nothing sent", async () => {
    const model = "imageA-2-vip";
    await addBedrock({
      models: [model],
      model_mapping: { [model]: "amazon.titan-image-generator-v2:0" },
    });
    const before = sandbox.calls().total;
    const body = { model, prompt: "A fox.", size: "1536x1024" };
    const response = await gateway.post("/v1/images/generations", body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "size" } });
    expect(sandbox.calls().total).toBe(before);
  });
});

test("fields that the cloud refuses are left out and told", async () => {
  const { model } = await addBedrock();
  const fields = { max_tokens: 20, service_tier: "auto", diagnostics: {} };
  const response = await gateway.post("/v1/messages", ask(model, "Rivers?", fields));
  expect(response.status).toBe(200);
  expect(response.headers.get("x-sluice-ignored")).toContain("service_tier");
});
