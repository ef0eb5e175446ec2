// Vertex AI as an upstream, against the sandbox's: its wires, its credentials, and the end of each
// class of its errors.
import { beforeAll, describe, expect, test } from "bun:test";
import { startSandbox, type Sandbox } from "../../../sandbox/server.ts";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { chatBody } from "../../harness/ask.ts";
import { eventually, logRow } from "../../harness/books.ts";
import { accountFile, privateKey } from "../../harness/clouds/google-account.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { startTap } from "../../harness/tap.ts";
import { completion, Vendor } from "../../harness/vendor.ts";
import { filesWith } from "../../hazards/observe.ts";

const config = `
sandbox: "off"
unpriced: free
distribution: { failures_to_eject: 1000000, retry_budget_percent: 100 }
prices:
  - { model: priced-embedding, input_micros_per_million: 1000000, output_micros_per_million: 0 }
  - { model: priced-tier, input_micros_per_million: 1000000, output_micros_per_million: 1000000 }
  - model: tiered
    input_micros_per_million: 1000000
    output_micros_per_million: 1000000
    factors:
      service_tier.priority: { input_percent: 300, output_percent: 300 }
      service_tier.flex: { input_percent: 50, output_percent: 50 }
`;
const openSandbox = () =>
  startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 1 });
const sandbox = kept(openSandbox());
const tap = kept(startTap(sandbox.url));
const environment = { GCE_METADATA_HOST: `${new URL(sandbox.url).host}/vertex` };
const gateway = useStand(() => startGateway({ config, environment, oneProcess: "judgement" }));
const below = "/v1beta1/projects/sandbox-project/locations/global/publishers/google/models";

interface ChannelShown {
  id: string;
  keys: { status: string; reason: string | null }[];
}

interface VertexFields {
  /** The vendor's name of the model. */
  upstream?: string;
  /** Another sandbox, whose exchanges can be counted. */
  at?: Sandbox;
  [field: string]: unknown;
}

let count = 0;

/** A channel of its own, and a model that it alone serves. */
async function addVertex({ upstream, at = sandbox, ...fields }: VertexFields = {}) {
  const model = `vertex-${++count}`;
  const { id } = await gateway.control<ChannelShown>("POST", "/api/channel", {
    name: `channel ${count}`,
    type: "vertex",
    base_url: `${at.url}/vertex`,
    key: accountFile(at.url),
    models: [model],
    model_mapping: { [model]: upstream ?? "gemini-3-pro" },
    allow_private: true,
    ...fields,
  });
  return { id, model };
}

const said = (content: string, fields: object = {}) => ({
  messages: [{ role: "user", content }],
  ...fields,
});

async function chat(model: string, fields: object = {}): Promise<Response> {
  return await gateway.post("/v1/chat/completions", chatBody(model, { ...fields }));
}

async function shown(id: string): Promise<ChannelShown> {
  return await gateway.control<ChannelShown>("GET", `/api/channel/${id}`);
}

async function disabledReason(id: string): Promise<string> {
  return await eventually("a disabled key", async () => {
    const [key] = (await shown(id)).keys;
    return key?.status === "disabled" ? (key.reason ?? "") : undefined;
  });
}

function exchangesOf(vendor: Sandbox, path = "/vertex/token"): number {
  const counts = Object.values(vendor.calls().byPath[path] ?? {});
  return counts.reduce((sum, one) => sum + one, 0);
}

const lastPath = () => sandbox.calls().recent.at(-1)?.path;

describe("a request", () => {
  test("for Gemini passes as it is, whole and streamed, and is counted there", async () => {
    const { model } = await addVertex();
    const contents = [{ role: "user", parts: [{ text: "Where do lighthouses stand?" }] }];
    const path = `/v1beta/models/${model}`;
    const whole = await gateway.post(`${path}:generateContent`, { contents });
    expect(await whole.json()).toMatchObject({ usageMetadata: { trafficType: "ON_DEMAND" } });
    expect(lastPath()).toBe(`/vertex${below}/gemini-3-pro:generateContent`);
    const streamed = await gateway.post(`${path}:streamGenerateContent?alt=sse`, { contents });
    expect(await streamed.text()).toContain("finishReason");
    expect((await logRow(gateway, streamed)).output_tokens).toBeGreaterThan(0);
    const systemInstruction = { parts: [{ text: "Be brief." }] };
    const generateContentRequest = { model: `models/${model}`, contents, systemInstruction };
    const counted = await gateway.post(`${path}:countTokens`, { generateContentRequest });
    expect(await counted.json()).toMatchObject({ totalTokens: expect.any(Number) });
    expect(lastPath()).toBe(`/vertex${below}/gemini-3-pro:countTokens`);
  });

  test("for Claude goes by rawPredict, whole, streamed, counted and converted", async () => {
    const { model } = await addVertex({
      format: "messages",
      upstream: "claude-sonnet-4-5@20250929",
    });
    const body = { model, max_tokens: 100, ...said("Where do lighthouses stand?") };
    const at = "/vertex/v1/projects/sandbox-project/locations/global/publishers/anthropic/models";
    const whole = await gateway.post("/v1/messages", body);
    expect(await whole.json()).toMatchObject({ type: "message", usage: {} });
    expect(lastPath()).toBe(`${at}/claude-sonnet-4-5%4020250929:rawPredict`);
    const streamed = await gateway.post("/v1/messages", { ...body, stream: true });
    expect(await streamed.text()).toContain("message_stop");
    expect(lastPath()).toBe(`${at}/claude-sonnet-4-5%4020250929:streamRawPredict`);
    expect((await logRow(gateway, streamed)).output_tokens).toBeGreaterThan(0);
    const { max_tokens: _bound, ...plain } = body;
    const counted = await gateway.post("/v1/messages/count_tokens", plain);
    expect(await counted.json()).toMatchObject({ input_tokens: expect.any(Number) });
    expect(lastPath()).toBe(`${at}/count-tokens:rawPredict`);
    const converted = await chat(model, said("Hello.", { stream: true }));
    expect(await converted.text()).toContain("[DONE]");
  });

  test("with a beta that is not known there goes without it", async () => {
    const { model } = await addVertex({ format: "messages", upstream: "claude-sonnet-4-5" });
    const headers = {
      authorization: `Bearer ${(await gateway.customer(1_000_000)).key}`,
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "context-1m-2025-08-07,claude-code-20250219",
    };
    const body = JSON.stringify({ model, max_tokens: 50, ...said("Hello.") });
    const reply = await fetch(`${gateway.url}/v1/messages`, { method: "POST", headers, body });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-sluice-ignored")).toContain("anthropic-beta");
  });

  test("for an open model goes by OpenAI's wire", async () => {
    const { model } = await addVertex({ format: "chat", upstream: "meta/llama-4" });
    expect((await chat(model)).status).toBe(200);
    expect(lastPath()).toBe(
      "/vertex/v1/projects/sandbox-project/locations/global/endpoints/openapi/chat/completions",
    );
    expect(sandbox.calls().recent.at(-1)).toMatchObject({ model: "meta/llama-4" });
  });

  test.each([
    ["text-embedding-005", "predict", ["The sea.", "The land."]],
    ["gemini-embedding-2", "embedContent", ["The sea."]],
  ])("for an embedding by %s goes by %s, charged as told", async (upstream, verb, input) => {
    const model = "priced-embedding";
    const { id } = await addVertex({ models: [model], model_mapping: { [model]: upstream } });
    const reply = await gateway.post("/v1/embeddings", { model, input, dimensions: 4 });
    const body = (await reply.json()) as {
      data: { embedding: number[] }[];
      usage: { prompt_tokens: number };
    };
    expect(body.data.map(({ embedding }) => embedding.length)).toEqual(input.map(() => 4));
    expect(lastPath()).toBe(`/vertex${below}/${upstream}:${verb}`);
    const row = await logRow(gateway, reply);
    expect(row).toMatchObject({ input_tokens: body.usage.prompt_tokens, estimated: false });
    expect(row.micros).toBe(row.input_tokens);
    await gateway.control("DELETE", `/api/channel/${id}`);
  });

  test.each([
    [
      "text-embedding-005",
      "predict",
      { instances: [{ task_type: "RETRIEVAL_DOCUMENT", title: "Seas" }] },
    ],
    [
      "gemini-embedding-2",
      "embedContent",
      { embedContentConfig: { taskType: "RETRIEVAL_DOCUMENT", title: "Seas" } },
    ],
  ])("of Google's other API says to %s what its vectors are for", async (upstream, verb, sent) => {
    using vendor = new Vendor((_request, reply) => {
      const embeddings = { values: [1], statistics: { token_count: 2 } };
      const usageMetadata = { promptTokenCount: 2 };
      reply.json({ predictions: [{ embeddings }], embedding: { values: [1] }, usageMetadata });
    });
    const fields = { base_url: vendor.url, key: "express-key-0001" };
    const { model } = await addVertex({ upstream, ...fields });
    const reply = await gateway.post(`/v1beta/models/${model}:embedContent`, {
      content: { parts: [{ text: "The sea." }] },
      taskType: "RETRIEVAL_DOCUMENT",
      title: "Seas",
    });
    expect(reply.status).toBe(200);
    expect(reply.headers.get("x-sluice-ignored")).toBeNull();
    expect(vendor.requests[0]?.path).toEndWith(verb);
    expect(vendor.requests[0]?.body).toMatchObject(sent);
  });

  test.each([
    ["text-embedding-005", { type: "vertex" }, "predict"],
    ["gemini-embedding-2", { type: "vertex" }, "embedContent"],
    ["text-embedding-3-small", { type: "openai" }, "/v1/embeddings"],
  ])("that predicts an embedding reaches %s, answered alike", async (upstream, { type }, end) => {
    const isVertex = type === "vertex";
    const at = isVertex ? {} : { type, base_url: `${sandbox.url}/openai`, key: "sk-sandbox" };
    const { model } = await addVertex({ upstream, ...at });
    const reply = await gateway.post(`${below}/${model}:predict`, {
      instances: [{ content: "The sea.", task_type: "RETRIEVAL_QUERY" }],
      parameters: { outputDimensionality: 4 },
    });
    const { predictions } = (await reply.json()) as {
      predictions: { embeddings: { values: number[] } }[];
    };
    expect(predictions.map(({ embeddings }) => embeddings.values.length)).toEqual([4]);
    expect(lastPath()).toEndWith(end);
    expect((await logRow(gateway, reply)).input_tokens).toBeGreaterThan(0);
    const ignored = reply.headers.get("x-sluice-ignored");
    expect(ignored).toBe(isVertex ? null : "task_type");
  });

  test.each([
    [{ instances: [] }, "instances"],
    [{ instances: [{ prompt: "a cat" }] }, "instances"],
    [{ instances: [{ content: "x" }], parameters: { outputDimensionality: 0 } }, "parameters"],
  ])("that predicts %p is refused by the field, and nothing is sent", async (body, field) => {
    const { model } = await addVertex();
    const before = JSON.stringify(sandbox.calls().byPath);
    const reply = await gateway.post(`${below}/${model}:predict`, body);
    const { error } = (await reply.json()) as { error: { message: string } };
    expect(reply.status).toBe(400);
    expect(error.message).toContain(field);
    expect(JSON.stringify(sandbox.calls().byPath)).toBe(before);
  });

  test("for a picture goes to Imagen", async () => {
    const image = "imageA-2";
    await addVertex({ models: [image], model_mapping: { [image]: "imagen-4.0-generate-001" } });
    const made = await gateway.post("/v1/images/generations", { model: image, prompt: "a cat" });
    expect(made.status).toBe(200);
    expect(lastPath()).toBe(`/vertex${below}/imagen-4.0-generate-001:predict`);
  });
});

test("traffic that is on demand costs no surcharge", async () => {
  const model = "priced-tier";
  await addVertex({ models: [model], model_mapping: { [model]: "gemini-3-pro" } });
  const row = await logRow(gateway, await chat(model));
  expect(row.micros).toBe(row.input_tokens + row.output_tokens);
});

describe("a tier", () => {
  const contents = [{ role: "user", parts: [{ text: "Where do lighthouses stand?" }] }];
  const header = "x-vertex-ai-llm-shared-request-type";
  const asked = async (body: object, action = "generateContent") =>
    await gateway.post(`/v1beta/models/tiered:${action}`, { contents, ...body });

  beforeAll(async () => {
    const { url } = tap;
    const mapped = { models: ["tiered"], model_mapping: { tiered: "gemini-3-pro" } };
    await addVertex({ ...mapped, base_url: `${url}/vertex` });
  });

  test.each([
    [{ serviceTier: "priority" }, "priority", 3],
    [{ service_tier: "SERVICE_TIER_PRIORITY" }, "priority", 3],
    [{ serviceTier: "flex" }, "flex", 0.5],
    [{ serviceTier: "standard" }, undefined, 1],
    [{}, undefined, 1],
  ])("asked for as %j is asked for by header, and costs its factor", async (body, tier, factor) => {
    for (const action of ["generateContent", "streamGenerateContent?alt=sse"]) {
      const response = await asked(body, action);
      expect(response.status).toBe(200);
      const text = await response.text();
      if (tier) expect(text).toContain(`ON_DEMAND_${tier.toUpperCase()}`);
      expect(tap.heads.at(-1)?.get(header) ?? undefined).toBe(tier);
      expect(Object.keys(tap.bodies.at(-1) ?? {})).toEqual(["contents"]);
      const row = await logRow(gateway, response);
      expect(row.cost_micros).toBe(Math.ceil((row.input_tokens + row.output_tokens) * factor));
    }
  });

  test.each([
    ["ON_DEMAND_PRIORITY", 3],
    ["ON_DEMAND", 1],
    ["PROVISIONED_THROUGHPUT", 1],
  ])("asked for first and served as %s costs the tokens times %d", async (trafficType, factor) => {
    const usageMetadata = {
      promptTokenCount: 9,
      candidatesTokenCount: 4,
      totalTokenCount: 13,
      trafficType,
    };
    const content = { role: "model", parts: [{ text: "On rocks." }] };
    const body = { candidates: [{ content, finishReason: "STOP" }], usageMetadata };
    using vendor = new Vendor((_request, reply) => reply.json(body));
    const mapped = { models: ["tiered"], model_mapping: { tiered: "gemini-3-pro" } };
    const place = { base_url: vendor.url, key: "an-api-key", vendor: { project: "p" } };
    const { id } = await addVertex({ ...mapped, ...place, priority: 9 });
    const response = await asked({ serviceTier: "priority" });
    expect(vendor.requests).toHaveLength(1);
    await gateway.control("DELETE", `/api/channel/${id}`);
    expect((await logRow(gateway, response)).cost_micros).toBe(13 * factor);
  });

  test("is left out of a count, which has none", async () => {
    const response = await asked({ serviceTier: "flex" }, "countTokens");
    expect(response.status).toBe(200);
  });
});

describe("an error", () => {
  /** The other channel answers where this one's error lets it. */
  async function withSecond(fields: VertexFields, text: string) {
    using second = new Vendor((_request, reply) => reply.json(completion("From the second.")));
    const { id, model } = await addVertex({ priority: 5, ...fields });
    const other = second.channel({ name: `second ${count}`, models: [model] });
    await gateway.control("POST", "/api/channel", other);
    const reply = await chat(model, said(text));
    return { id, status: reply.status, isNext: (await reply.text()).includes("From the second.") };
  }

  const claude = { format: "messages", upstream: "claude-sonnet-4-5" };

  test.each<[string, VertexFields, string, number]>([
    ["suspect", {}, "sandbox:status=403", 200],
    ["load", {}, "sandbox:status=429", 200],
    ["channel", {}, "sandbox:status=500", 200],
    ["channel", {}, "sandbox:status=503", 200],
    ["channel", {}, "sandbox:status=504", 200],
    ["channel", { upstream: "missing-model" }, "Hello.", 200],
    ["client", {}, "sandbox:status=400", 400],
    ["load", claude, "sandbox:status=429", 200],
    ["channel", claude, "sandbox:status=529", 200],
    ["channel", { ...claude, upstream: "missing-claude" }, "Hello.", 200],
    ["client", claude, "sandbox:status=400", 400],
  ])("of the %s with %p by %s leaves the key enabled", async (_of, fields, text, status) => {
    const ended = await withSecond(fields, text);
    expect([ended.status, ended.isNext]).toEqual([status, status === 200]);
    expect((await shown(ended.id)).keys[0]?.status).toBe("enabled");
  });

  test("of a quota lets the key rest, so that the next request passes it by", async () => {
    using busy = new Vendor((_request, reply) => {
      const details = [{ retryDelay: "50s" }];
      const error = { code: 429, message: "Busy.", status: "RESOURCE_EXHAUSTED", details };
      reply.json({ error }, 429);
    });
    using second = new Vendor((_request, reply) => reply.json(completion("From the second.")));
    const fields = { base_url: busy.url, key: "express-key-0001", priority: 5 };
    const { model } = await addVertex(fields);
    const other = second.channel({ name: `second ${count}`, models: [model] });
    await gateway.control("POST", "/api/channel", other);
    for (let at = 0; at < 2; at++) expect((await chat(model)).status).toBe(200);
    expect([busy.requests.length, second.requests.length]).toEqual([1, 2]);
  });

  test("of the account disables its key, and the next channel is asked", async () => {
    const key = accountFile(sandbox.url, { client_email: "other@sandbox-project.example" });
    const { id, isNext } = await withSecond({ key }, "Hello.");
    expect(isNext).toBe(true);
    expect(await disabledReason(id)).toContain("invalid_grant");
  });

  test("of an API key disables it", async () => {
    const { id, isNext } = await withSecond({ key: "sk-sandbox-revoked" }, "Hello.");
    expect(isNext).toBe(true);
    await disabledReason(id);
  });
});

describe("a service account", () => {
  test("is exchanged once for many requests, and once more where a token is refused", async () => {
    await using own = openSandbox();
    const { model } = await addVertex({ at: own });
    const replies = await Promise.all([chat(model), chat(model), chat(model)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(exchangesOf(own)).toBe(1);
    expect((await chat(model, said("sandbox:expired-token=1"))).status).toBe(200);
    expect(exchangesOf(own)).toBe(2);
  });

  test("whose second token is refused too is to blame", async () => {
    await using own = openSandbox();
    const { id, model } = await addVertex({ at: own });
    expect((await chat(model, said("sandbox:expired-token=2"))).status).toBe(500);
    expect(exchangesOf(own)).toBe(2);
    await disabledReason(id);
  });

  test("leaves its key and its tokens in no file and no line of the log", async () => {
    const { id, model } = await addVertex();
    await logRow(gateway, await chat(model));
    const tested = await gateway.control("POST", `/api/channel/${id}/test`, { model });
    expect(tested).toMatchObject({ ok: true });
    const [, line = ""] = privateKey.split("\n");
    for (const secret of [line, "ya29.sandbox-"]) {
      expect(await filesWith(gateway.folder, secret)).toEqual([]);
      expect(gateway.output).not.toContain(secret);
      expect(JSON.stringify([tested, await shown(id)])).not.toContain(secret);
    }
  });
});

test("a test is told step by step, from the credential to the answer", async () => {
  const { id, model } = await addVertex();
  const response = await fetch(`${gateway.url}/api/channel/${id}/test?stream=1`, {
    method: "POST",
    headers: { authorization: `Bearer ${rootToken}`, "content-type": "application/json" },
    body: JSON.stringify({ model }),
  });
  const steps = [...(await response.text()).matchAll(/^event: (\w+)$/gm)].map(([, name]) => name);
  const answered = ["connected", "answered", "first_token", "done"];
  expect(steps).toEqual(["unlisted", "resolved", "granted", ...answered]);
});

describe("other credentials", () => {
  const federated = {
    type: "external_account",
    audience:
      "//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q",
    subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    token_url: `${sandbox.url}/vertex/sts/v1/token`,
    credential_source: { url: `${sandbox.url}/vertex/subject` },
    service_account_impersonation_url: `${sandbox.url}/vertex/iam/v1/projects/-/serviceAccounts/sluice@sandbox-project.iam.gserviceaccount.com:generateAccessToken`,
  };

  const vendor = { project: "sandbox-project" };

  test("of another identity are exchanged for its token, and that for the account's", async () => {
    const { model } = await addVertex({ key: JSON.stringify(federated), vendor });
    expect((await chat(model)).status).toBe(200);
    expect(exchangesOf(sandbox, "/vertex/sts/v1/token")).toBe(1);
  });

  test("of the machine come from its metadata, where the channel names them", async () => {
    const { model } = await addVertex({ key: "instance", vendor });
    expect((await chat(model)).status).toBe(200);
    const path = "/vertex/computeMetadata/v1/instance/service-accounts/default/token";
    expect(exchangesOf(sandbox, path)).toBe(1);
  });

  test("of express mode are sent as they are, without a project", async () => {
    const { model } = await addVertex({ key: "express-key-0001" });
    expect((await chat(model)).status).toBe(200);
    expect(lastPath()).toBe(
      "/vertex/v1beta1/publishers/google/models/gemini-3-pro:generateContent",
    );
  });
});

test("the models of a place that has no list are those of the price list, with their prices", async () => {
  const draft = { type: "vertex", base_url: "https://us-east5-aiplatform.googleapis.com" };
  const fields = { name: "draft", key: "express-key-0001", ...draft };
  const { source, models } = await gateway.control<{ source: string; models: { id: string }[] }>(
    "POST",
    "/api/channel/discover",
    fields,
  );
  expect(source).toBe("list");
  expect(models.some(({ id }) => id.startsWith("gemini-"))).toBe(true);
});

describe("a channel", () => {
  test.each<[Record<string, unknown>, string]>([
    [{ key: "instance" }, "vendor.project"],
    [{ key: "workload" }, "vendor.project"],
    [{ key: '{"client_email":"a","private_key":"canary-key-1"}' }, "vendor.project"],
    [{ key: "express-key", format: "messages" }, "vendor.project"],
    [{ key: "express-key", format: "chat" }, "vendor.project"],
    [{ vendor: { region: "us-east-1" } }, "vendor.region"],
  ])("with %p is refused by the field", async (fields, param) => {
    const envelope = await gateway.controlEnvelope("POST", "/api/channel", {
      name: `refused ${++count}`,
      type: "vertex",
      base_url: "https://aiplatform.googleapis.com",
      key: "express-key",
      models: ["m"],
      ...fields,
    });
    expect([envelope.success, envelope.message.startsWith(param)]).toEqual([false, true]);
    expect(envelope.message).not.toContain("canary-key-1");
  });
});
