// Azure as an upstream, against the sandbox's: addresses, keys and tokens, the content filter, and
// what becomes of each of its errors.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { startSandbox, type Sandbox } from "../../../sandbox/server.ts";
import { systemClock, systemTimers } from "../../../src/core/clock.ts";
import { isObject } from "../../../src/core/json.ts";
import { chatBody, errorOf } from "../../harness/ask.ts";
import { eventually, logRow } from "../../harness/books.ts";
import { readStream } from "../../harness/event-stream.ts";
import { Folder } from "../../harness/folder.ts";
import { rootToken, startGateway } from "../../harness/gateway.ts";
import { kept, useStand } from "../../harness/nodes/stand.ts";
import { completion, delta, Vendor } from "../../harness/vendor.ts";
import { filesWith } from "../../hazards/observe.ts";

const config = `
sandbox: "off"
unpriced: free
distribution: { failures_to_eject: 1000000, retry_budget_percent: 100 }
`;
const openSandbox = () =>
  startSandbox({ port: 0, clock: systemClock, timers: systemTimers, paceMs: 1 });
const sandbox = kept(openSandbox());
const folder = kept(new Folder());
const resource = `${sandbox.url}/azure`;
const tokenFile = join(folder.path, "token");
const environment = {
  AZURE_POD_IDENTITY_AUTHORITY_HOST: resource,
  AZURE_TENANT_ID: "cluster",
  AZURE_CLIENT_ID: "pod-1",
  AZURE_FEDERATED_TOKEN_FILE: tokenFile,
};
const gateway = useStand(() => startGateway({ config, environment, oneProcess: "judgement" }));

interface ChannelShown {
  id: string;
  vendor: Record<string, string>;
  keys: { last4: string; status: string; reason: string | null; rests_until: number | null }[];
}

let count = 0;

/** A channel of its own, and a model that it alone serves. */
async function addAzure(fields: Record<string, unknown> = {}) {
  const model = `azure-${++count}`;
  const { id } = await gateway.control<ChannelShown>("POST", "/api/channel", {
    name: `channel ${count}`,
    type: "azure",
    base_url: resource,
    key: "azure-key-0001",
    models: [model],
    allow_private: true,
    ...fields,
  });
  return { id, model };
}

interface Entra {
  secret?: string;
  /** Has a resource and tokens of its own, where they are counted. */
  vendor?: Sandbox;
}

/** Adds one by a client's secret, in a tenant of its own, so that its exchanges can be counted. */
async function addEntra(
  fields: Record<string, unknown> = {},
  { secret = "secret-of-app-0001", vendor: own = sandbox }: Entra = {},
) {
  const tenant = `tenant-${++count}`;
  const parts = { tenant_id: tenant, client_id: "app-0001", client_secret: secret };
  const base = `${own.url}/azure`;
  const channel = await addAzure({
    base_url: base,
    key: JSON.stringify(parts, null, 2),
    vendor: { authority: base },
    ...fields,
  });
  return { ...channel, exchanges: () => callsOf(own, `/azure/${tenant}/oauth2/v2.0/token`) };
}

function callsOf(vendor: Sandbox, path: string): number {
  const counts = Object.values(vendor.calls().byPath[path] ?? {});
  return counts.reduce((sum, one) => sum + one, 0);
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

/** Behind the request that was refused. */
async function isDisabled(id: string): Promise<ChannelShown["keys"]> {
  return await eventually("a disabled key", async () => {
    const { keys } = await shown(id);
    return keys[0]?.status === "disabled" ? keys : undefined;
  });
}

function pathsSince(before: number): string[] {
  return sandbox
    .calls()
    .recent.slice(before)
    .map(({ path }) => path);
}

const callCount = () => sandbox.calls().recent.length;

describe("a request", () => {
  test.each([
    [undefined, "/azure/openai/v1/chat/completions"],
    [{ api_version: "2024-10-21" }, "/azure/openai/deployments/my.dep/chat/completions"],
  ])("with %p goes to its deployment by the channel's mapping", async (vendor, path) => {
    const model = `mapped-${++count}`;
    const mapping = { models: [model], model_mapping: { [model]: "my.dep" } };
    await addAzure({ ...mapping, ...(vendor && { vendor }) });
    const before = callCount();
    const reply = await chat(model);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({ prompt_filter_results: [{ prompt_index: 0 }] });
    expect(pathsSince(before)).toEqual([path]);
    expect(sandbox.calls().recent.at(-1)).toMatchObject({ model: "my.dep", bearerLast4: "0001" });
  });

  test("for an embedding or an image goes there too", async () => {
    const { model } = await addAzure();
    const embedded = await gateway.post("/v1/embeddings", { model, input: "a" });
    expect(embedded.status).toBe(200);
    const image = "imageA-2";
    await addAzure({ models: [image], model_mapping: { [image]: "gpt-image-2" } });
    const made = await gateway.post("/v1/images/generations", { model: image, prompt: "a cat" });
    expect(made.status).toBe(200);
    expect(sandbox.calls().recent.at(-1)?.path).toBe("/azure/openai/v1/images/generations");
  });

  test("for a response is kept and read again where it was made", async () => {
    const vendor = { api_version: "2025-04-01-preview" };
    const { model } = await addAzure({ format: "responses", vendor });
    const made = await gateway.post("/v1/responses", { model, input: "a", store: true });
    const { id } = (await made.json()) as { id: string };
    const items = await gateway.get(`/v1/responses/${id}/input_items?limit=5`);
    expect(items.status).toBe(200);
    expect(sandbox.calls().recent.at(-1)?.path).toBe(`/azure/openai/responses/${id}/input_items`);
  });

  test("for Claude speaks Anthropic's wire", async () => {
    const { model } = await addAzure({ format: "messages" });
    const reply = await gateway.post("/v1/messages", { model, max_tokens: 50, ...said("Hello.") });
    expect(reply.status).toBe(200);
    expect(sandbox.calls().recent.at(-1)?.path).toBe("/azure/anthropic/v1/messages");
  });
});

describe("a stream", () => {
  const late = said("Where do lighthouses stand? sandbox:late-filter", { stream: true });

  test("passes on what the filter says, before the answer and behind it", async () => {
    const { model } = await addAzure();
    const { chunks } = await readStream(await chat(model, late));
    expect(chunks[0]).toMatchObject({ choices: [], prompt_filter_results: [{ prompt_index: 0 }] });
    const isLate = ({ choices }: Record<string, unknown>) =>
      JSON.stringify(choices).includes("content_filter_offsets");
    expect(chunks.some(isLate)).toBe(true);
  });

  test("has not begun with the filter's event: what fails behind it is tried elsewhere", async () => {
    using second = new Vendor((_request, reply) => {
      reply.stream();
      reply.event(delta({ role: "assistant", content: "From the second." }, "stop"));
      reply.event("[DONE]");
      reply.end();
    });
    const { model } = await addAzure({ priority: 5 });
    const other = second.channel({ name: `second ${count}`, models: [model] });
    await gateway.control("POST", "/api/channel", other);
    const reply = await chat(model, said("sandbox:error-after=0", { stream: true }));
    expect(await reply.text()).toContain("From the second.");
  });

  test("begins once, with the answer, where it is converted", async () => {
    const { model } = await addAzure();
    const body = { model, max_tokens: 200, ...late };
    const reply = await gateway.post("/v1/messages", body);
    const text = await reply.text();
    const begins = text.split("\n").filter((line) => line.includes('"message_start"'));
    const starts = begins.filter((line) => line.startsWith("data:"));
    expect(starts).toHaveLength(1);
    expect(starts[0]).toContain(`"model":"${model}"`);
    expect(text).toContain("lighthouses");
    expect(text).toContain('"message_stop"');
  });
});

test("a stream that begins with the filter's findings is charged by the usage at its end", async () => {
  const { model } = await addAzure();
  const price = { model, input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
  await gateway.control("POST", "/api/price", price);
  const body = said("Where do lighthouses stand? sandbox:late-filter", { stream: true });
  const options = { stream_options: { include_usage: true } };
  const reply = await chat(model, { ...body, ...options });
  const { chunks } = await readStream(reply);
  const usage = chunks.map((chunk) => chunk["usage"]).find(isObject) ?? {};
  const row = await logRow(gateway, reply);
  expect(row).toMatchObject({
    input_tokens: usage["prompt_tokens"],
    output_tokens: usage["completion_tokens"],
    estimated: false,
  });
  expect(row.micros).toBe(row.input_tokens + row.output_tokens);
});

test("a tier that a reply names though none was asked for costs nothing", async () => {
  using vendor = new Vendor((_request, reply) =>
    reply.json({ ...completion("Yes."), service_tier: "auto" }),
  );
  const { model } = await addAzure({ base_url: vendor.url });
  const price = { model, input_micros_per_million: 1e6, output_micros_per_million: 1e6 };
  await gateway.control("POST", "/api/price", price);
  const row = await logRow(gateway, await chat(model));
  expect(row.micros).toBe(row.input_tokens + row.output_tokens);
});

describe("what the filter refuses", () => {
  const refused = said("sandbox:filter-prompt");

  test("is a 400 with the vendor's code in OpenAI's words", async () => {
    const { model } = await addAzure();
    const reply = await chat(model, refused);
    expect(reply.status).toBe(400);
    expect(await errorOf(reply)).toMatchObject({
      type: "invalid_request_error",
      code: "content_filter",
      param: "prompt",
    });
  });

  test("is an invalid request in Anthropic's words", async () => {
    const { model } = await addAzure();
    const reply = await gateway.post("/v1/messages", { model, max_tokens: 50, ...refused });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error" },
    });
  });

  test("is a 400 in Google's words", async () => {
    const { model } = await addAzure();
    const contents = [{ role: "user", parts: [{ text: "sandbox:filter-prompt" }] }];
    const reply = await gateway.post(`/v1beta/models/${model}:generateContent`, { contents });
    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { status: "INVALID_ARGUMENT" } });
  });
});

describe("an error", () => {
  /** The other channel answers where this one's error lets it. */
  async function withSecond(text: string, status: number) {
    using second = new Vendor((_request, reply) => reply.json(completion("From the second.")));
    const { id, model } = await addAzure({ priority: 5 });
    const other = second.channel({ name: `second ${count}`, models: [model] });
    await gateway.control("POST", "/api/channel", other);
    const reply = await chat(model, said(text));
    expect([text, reply.status]).toEqual([text, status]);
    return { id, isSecond: (await reply.text()).includes("From the second.") };
  }

  test("of the key disables it, and the next channel is asked", async () => {
    using second = new Vendor((_request, reply) => reply.json(completion("From the second.")));
    const { id, model } = await addAzure({ priority: 5, key: "sk-sandbox-revoked" });
    const other = second.channel({ name: `second ${count}`, models: [model] });
    await gateway.control("POST", "/api/channel", other);
    expect(await (await chat(model)).text()).toContain("From the second.");
    await isDisabled(id);
  });

  test.each([
    ["sandbox:status=403", true],
    ["sandbox:status=404", true],
    ["sandbox:status=429", true],
    ["sandbox:status=500", true],
    ["sandbox:status=503", true],
    ["sandbox:filter-prompt", false],
    ["sandbox:status=400", false],
  ])("by %s leaves the key enabled; the next channel is asked: %p", async (text, isNext) => {
    const { id, isSecond } = await withSecond(text, isNext ? 200 : 400);
    expect(isSecond).toBe(isNext);
    const [key] = (await shown(id)).keys;
    expect(key?.status).toBe("enabled");
    expect(key?.rests_until !== null).toBe(text === "sandbox:status=429");
  });
});

describe("a key of Entra", () => {
  test("is exchanged once for many requests", async () => {
    const { model, exchanges } = await addEntra();
    const replies = await Promise.all([chat(model), chat(model), chat(model)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await chat(model)).status).toBe(200);
    expect(exchanges()).toBe(1);
  });

  test("opens every way to the vendor", async () => {
    const claude = await addEntra({ format: "messages" });
    const body = { model: claude.model, ...said("Hello.") };
    const asked = await gateway.post("/v1/messages", { ...body, max_tokens: 50 });
    expect(asked.status).toBe(200);
    const counted = await gateway.post("/v1/messages/count_tokens", body);
    expect(await counted.json()).toMatchObject({ input_tokens: expect.any(Number) });
    expect(sandbox.calls().recent.at(-1)?.path).toEndWith("/count_tokens");
    const { model } = await addEntra({ format: "responses" });
    const made = await gateway.post("/v1/responses", { model, input: "a", store: true });
    const { id: response } = (await made.json()) as { id: string };
    expect((await gateway.get(`/v1/responses/${response}`)).status).toBe(200);
    expect((await gateway.post("/v1/embeddings", { model, input: "a" })).status).toBe(200);
    const image = "imageA-2.5-flare";
    await addEntra({ models: [image], model_mapping: { [image]: "gpt-image-2.5-flare" } });
    const drawn = await gateway.post("/v1/images/generations", { model: image, prompt: "a cat" });
    expect(drawn.status).toBe(200);
    const { id, model: chatted } = await addEntra();
    const tested = await gateway.control("POST", `/api/channel/${id}/test`, { model: chatted });
    expect(tested).toMatchObject({ ok: true });
    const path = "/api/channel/discover";
    const found = await gateway.control<{ models: unknown[] }>("POST", path, { id });
    expect(found.models.length).toBeGreaterThan(0);
  });

  test("whose token is refused is exchanged once more, and the client notices nothing", async () => {
    await using own = openSandbox();
    const { model, exchanges } = await addEntra({}, { vendor: own });
    expect((await chat(model)).status).toBe(200);
    expect((await chat(model, said("sandbox:expired-token=1"))).status).toBe(200);
    expect(exchanges()).toBe(2);
    expect((await chat(model)).status).toBe(200);
    expect(exchanges()).toBe(2);
  });

  test("whose second token is refused too is to blame", async () => {
    await using own = openSandbox();
    const { id, model, exchanges } = await addEntra({}, { vendor: own });
    expect((await chat(model, said("sandbox:expired-token=2"))).status).toBe(500);
    expect(exchanges()).toBe(2);
    await isDisabled(id);
  });

  test("is exchanged anew before its token ends", async () => {
    await using own = openSandbox();
    const { model, exchanges } = await addEntra({}, { vendor: own });
    expect((await chat(model)).status).toBe(200);
    gateway.pass(3200);
    expect((await chat(model)).status).toBe(200);
    expect(exchanges()).toBe(1);
    gateway.pass(150);
    expect((await chat(model)).status).toBe(200);
    await eventually("a second token", async () => (exchanges() === 2 ? true : undefined));
  });

  test("that cannot be exchanged for a while costs nobody the key", async () => {
    const vendor = { authority: "http://127.0.0.1:9" };
    const { id, model } = await addEntra({ vendor });
    const reply = await chat(model);
    expect(reply.status).toBe(500);
    expect((await errorOf(reply)).code).toBe("do_request_failed");
    expect((await shown(id)).keys[0]?.status).toBe("enabled");
  });

  test("with a wrong secret is disabled, and nobody reads the secret", async () => {
    const secret = "wrong-secret-canary-77";
    const { id, model } = await addEntra({}, { secret });
    const reply = await chat(model);
    expect(reply.status).toBe(500);
    const keys = await isDisabled(id);
    expect(keys[0]?.reason).toContain("invalid_client");
    expect(keys[0]?.last4).toBe("");
    const tested = await gateway.control("POST", `/api/channel/${id}/test`, { model });
    const yaml = await gateway.control("GET", "/api/channel/yaml");
    const texts = [await reply.text(), JSON.stringify([keys, tested, yaml]), gateway.output];
    for (const text of texts) expect(text).not.toContain(secret);
  });

  test("is tried step by step before it is saved", async () => {
    const tenant = `tenant-${++count}`;
    const parts = { tenant_id: tenant, client_id: "app", client_secret: "secret-of-app" };
    const fields = { type: "azure", base_url: resource, allow_private: true, models: ["d"] };
    const draft = { ...fields, key: JSON.stringify(parts), vendor: { authority: resource } };
    const reply = await fetch(`${gateway.url}/api/channel/test?stream=1`, {
      method: "POST",
      headers: { authorization: `Bearer ${rootToken}`, "content-type": "application/json" },
      body: JSON.stringify(draft),
    });
    const steps = [...(await reply.text()).matchAll(/^event: (.+)$/gm)].map(([, step]) => step);
    const answered = ["connected", "answered", "first_token", "done"];
    expect(steps).toEqual(["granted", "listed", "resolved", ...answered]);
  });

  test("leaves its secret and its tokens in no file and no line of the log", async () => {
    const { model } = await addEntra({}, { secret: "secret-of-app-0001" });
    await (await chat(model)).text();
    await logRow(gateway, await chat(model));
    for (const secret of ["secret-of-app-0001", "sandbox-entra-"]) {
      expect(await filesWith(gateway.folder, secret)).toEqual([]);
      expect(gateway.output).not.toContain(secret);
    }
  });
});

describe("a key that is the word for the machine's own", () => {
  test("identity asks the machine's metadata", async () => {
    const { model } = await addAzure({ key: "identity" });
    const before = callCount();
    expect((await chat(model)).status).toBe(200);
    const paths = pathsSince(before);
    expect(paths).toContain("/azure/metadata/identity/oauth2/token");
  });

  test("workload sends the token that the cluster put into its file, read each time", async () => {
    const vendor = { authority: resource };
    await Bun.write(tokenFile, "another-token");
    const wrong = await addAzure({ key: "workload", vendor });
    expect((await chat(wrong.model)).status).toBe(500);
    await Bun.write(tokenFile, "token-of-pod-1\n");
    const { model } = await addAzure({ key: "workload", vendor });
    expect((await chat(model)).status).toBe(200);
    expect(callsOf(sandbox, "/azure/cluster/oauth2/v2.0/token")).toBe(2);
  });
});

describe("a channel", () => {
  test.each<[Record<string, unknown>, string]>([
    [{ vendor: { region: "us-east-1" } }, "vendor.region"],
    [{ vendor: { other: "x" } }, "vendor.other"],
    [{ vendor: { authority: "https://evil.example" } }, "vendor.authority"],
    [{ vendor: { api_version: "" } }, "vendor.api_version"],
    [{ key: '{"client_id":"a","client_secret":"canary-secret-1"}' }, "key"],
    [{ type: "openai", vendor: { api_version: "2024-10-21" } }, "vendor.api_version"],
    [{ type: "openai", key: '{"client_id": "a"}' }, "key"],
  ])("with %p is refused by the field", async (fields, param) => {
    const envelope = await gateway.controlEnvelope("POST", "/api/channel", {
      name: `refused ${++count}`,
      type: "azure",
      base_url: "https://res.openai.azure.com",
      key: "azure-key-0001",
      models: ["m"],
      ...fields,
    });
    expect(envelope.success).toBe(false);
    expect(envelope.message).toStartWith(param);
    expect(envelope.message).not.toContain("canary-secret-1");
  });

  test("shows its fields, and asks for the key again where it is exchanged elsewhere", async () => {
    const vendor = { api_version: "2024-10-21" };
    const { id } = await addAzure({ vendor });
    expect((await shown(id)).vendor).toEqual(vendor);
    const moved = { vendor: { ...vendor, authority: resource } };
    const refused = await gateway.controlEnvelope("PATCH", `/api/channel/${id}`, moved);
    expect(refused.message).toContain("vendor.authority");
    const named = { ...moved, key: "azure-key-0002" };
    await gateway.control("PATCH", `/api/channel/${id}`, named);
    expect((await shown(id)).vendor).toEqual(moved.vendor);
  });
});
