// The official client of Azure against the sandbox's: what it takes and refuses is what the client
// sends and understands.
import { afterAll, describe, expect, test } from "bun:test";
import { APIError, AzureOpenAI, OpenAI } from "openai";
import { Anthropic } from "@anthropic-ai/sdk";
import type { Clock } from "../../src/core/clock.ts";
import { systemTimers } from "../../src/core/clock.ts";
import { startSandbox } from "../server.ts";

let passedMs = 0;
const clock: Clock = {
  nowMs: () => Date.now() + passedMs,
  monotonicMs: () => performance.now() + passedMs,
};
const sandbox = startSandbox({ port: 0, clock, timers: systemTimers, paceMs: 1 });
afterAll(() => sandbox.close());

const endpoint = `${sandbox.url}/azure`;
const apiVersion = "2024-10-21";
const keyed = new AzureOpenAI({ endpoint, apiKey: "sk-azure", apiVersion, maxRetries: 0 });
const current = new OpenAI({ baseURL: `${endpoint}/openai/v1`, apiKey: "sk-azure", maxRetries: 0 });

function ask(content: string, model = "my.deployment") {
  return { model, messages: [{ role: "user" as const, content }] };
}

async function refusal(work: Promise<unknown>): Promise<APIError> {
  const error = await work.catch((thrown: unknown) => thrown);
  if (error instanceof APIError) return error;
  throw new Error("there was no refusal", { cause: error });
}

async function tokenOf(fields: Record<string, string>): Promise<Response> {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    scope: "https://cognitiveservices.azure.com/.default",
    ...fields,
  });
  return await fetch(`${endpoint}/tenant-1/oauth2/v2.0/token`, { method: "POST", body });
}

const secret = { client_id: "app", client_secret: "secret-of-app" };

describe("the client of deployments", () => {
  test("is answered, with what the filter found", async () => {
    const reply = await keyed.chat.completions.create(ask("Where do lighthouses stand?"));
    expect(reply.choices[0]?.message.content).toContain("lighthouses");
    expect(reply.model).toBe("my.deployment");
    expect(reply).toMatchObject({ prompt_filter_results: [{ prompt_index: 0 }] });
    expect(reply.choices[0]).toMatchObject({
      content_filter_results: { hate: { filtered: false } },
    });
  });

  test("reads a stream that begins with an event about the prompt", async () => {
    const stream = await keyed.chat.completions.create({
      ...ask("Where do lighthouses stand? sandbox:late-filter"),
      stream: true,
    });
    const chunks = await Array.fromAsync(stream);
    expect(chunks[0]).toMatchObject({ id: "", model: "", choices: [] });
    expect(chunks.some(({ choices }) => choices[0] && !("delta" in choices[0]))).toBe(true);
    const text = chunks.map(({ choices }) => choices[0]?.delta?.content ?? "").join("");
    expect(text).toContain("lighthouses");
  });

  test("embeds, and asks for responses without a deployment in the path", async () => {
    const embedded = await keyed.embeddings.create({ model: "embed", input: "a" });
    expect(embedded.data).toHaveLength(1);
    const response = await keyed.responses.create({ model: "gpt", input: "Say something." });
    expect(response).toMatchObject({ status: "completed", content_filters: null });
  });

  test("hears of a deployment that is not there", async () => {
    const error = await refusal(keyed.chat.completions.create(ask("a", "missing-one")));
    expect([error.status, error.code]).toEqual([404, "DeploymentNotFound"]);
  });

  test("hears what the filter refuses", async () => {
    const error = await refusal(keyed.chat.completions.create(ask("sandbox:filter-prompt")));
    expect([error.status, error.code, error.type]).toEqual([400, "content_filter", null]);
  });

  test("hears of a key that is revoked, and of a rate", async () => {
    const revoked = keyed.withOptions({ apiKey: "sk-sandbox-revoked" });
    const error = await refusal(revoked.chat.completions.create(ask("a")));
    expect([error.status, error.code]).toEqual([401, "401"]);
    const busy = await refusal(keyed.chat.completions.create(ask("sandbox:status=429")));
    expect(busy.headers?.get("retry-after-ms")).toBe("250");
  });
});

test("the plain client is answered on the version without a date", async () => {
  const reply = await current.chat.completions.create(ask("Where do lighthouses stand?"));
  expect(reply.choices[0]?.message.content).toContain("lighthouses");
  expect((await current.models.list()).data.length).toBeGreaterThan(0);
});

test("Anthropic's client is answered with the key in its header", async () => {
  const client = new Anthropic({ baseURL: `${endpoint}/anthropic`, apiKey: "sk-azure" });
  const messages = [{ role: "user" as const, content: "Where do lighthouses stand?" }];
  const reply = await client.messages.create({ model: "claude", max_tokens: 99, messages });
  expect(reply.content[0]).toMatchObject({ type: "text" });
});

describe("a token", () => {
  test("opens what a key opens, for an hour", async () => {
    const granted = (await (await tokenOf(secret)).json()) as { access_token: string };
    const azureADTokenProvider = async () => granted.access_token;
    const client = new AzureOpenAI({ endpoint, azureADTokenProvider, apiVersion, maxRetries: 0 });
    expect((await client.chat.completions.create(ask("a"))).object).toBe("chat.completion");
    passedMs += 3_601_000;
    const error = await refusal(client.chat.completions.create(ask("a")));
    expect(error.status).toBe(401);
  });

  test.each([
    [{ client_id: "app", client_secret: "wrong" }, 401, "invalid_client"],
    [{ ...secret, grant_type: "password" }, 400, "unsupported_grant_type"],
    [{ ...secret, scope: "https://graph.microsoft.com/.default" }, 400, "invalid_scope"],
  ])("is refused for %p", async (fields, status, error) => {
    const reply = await tokenOf(fields);
    expect(reply.status).toBe(status);
    expect(await reply.json()).toMatchObject({ error });
  });
});

test("a dated way without its version is not there", async () => {
  const url = `${endpoint}/openai/deployments/d/chat/completions`;
  const headers = { "api-key": "sk-azure", "content-type": "application/json" };
  const reply = await fetch(url, { method: "POST", headers, body: JSON.stringify(ask("a")) });
  expect(reply.status).toBe(404);
  expect(await reply.json()).toMatchObject({ error: { message: "Resource not found" } });
});
