// The recipes of docs/clients.md for agents and apps: each names an address that answers what the
// client sends there, a model that is served, and the settings that the client reads.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { isObject } from "../../src/core/json.ts";
import { rootKey, startGateway } from "../harness/gateway.ts";
import { useStand } from "../harness/nodes/stand.ts";

const clients = readFileSync(join(import.meta.dir, "..", "..", "docs", "clients.md"), "utf8");
const [section = ""] = /^## Agents and apps$[^]*/m.exec(clients) ?? [];
const local = "http://127.0.0.1:3000";
const chat = "/chat/completions";

const gateway = useStand(() => startGateway());

function rowOf(client: string): string {
  const row = section
    .split("\n")
    .find((line) => line.replaceAll("[", "").startsWith(`| ${client}`));
  if (row === undefined) throw new Error(`there is no recipe for ${client}`);
  return row;
}

function blockOf(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\`$`, "m").exec(section)?.[1] ?? "";
}

async function status(path: string, body: object, headers: Record<string, string>) {
  const response = await fetch(gateway.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.status;
}

const bearer = { authorization: `Bearer ${rootKey}` };
const messages = [{ role: "user", content: "Hello" }];

test.each([
  ["aider", "OPENAI_API_BASE", "chatA"],
  ["LangChain](https://www.langchain.com), Python", "base_url", "chatA"],
  ["LangChain, JavaScript", "baseURL", "chatA"],
  ["Open WebUI", "OPENAI_API_BASE_URL", null],
])("the recipe for %s leads to chat completions by %s", async (client, setting, model) => {
  const row = rowOf(client);
  const [, base = ""] = new RegExp(`\\b${setting}(?:=|: )"?(http[\\w:./]+)`).exec(row) ?? [];
  expect(base).toStartWith(local);
  if (model !== null) expect(row).toContain(model);
  const path = base.slice(local.length) + chat;
  expect(await status(path, { model: model ?? "chatA", messages }, bearer)).toBe(200);
});

test("the recipe for Claude Code leads to messages, by a bearer token and two models", async () => {
  const row = rowOf("Claude Code");
  expect(row).toContain(`ANTHROPIC_BASE_URL=${local} ANTHROPIC_AUTH_TOKEN=$KEY`);
  const models = [...row.matchAll(/ANTHROPIC_(?:DEFAULT_HAIKU_)?MODEL=([\w-]+)/g)];
  expect(models).toHaveLength(2);
  for (const [, model] of models) {
    const body = { model, max_tokens: 100, messages };
    const version = { "anthropic-version": "2023-06-01" };
    expect(await status("/v1/messages?beta=true", body, { ...bearer, ...version })).toBe(200);
  }
});

test("the recipe for Gemini CLI leads to content, with a settings file that is JSON", async () => {
  const row = rowOf("Gemini CLI");
  expect(row).toContain(`GOOGLE_GEMINI_BASE_URL=${local} GEMINI_API_KEY=$KEY`);
  expect(JSON.parse(blockOf("json"))).toMatchObject({
    security: { auth: { selectedType: "gemini-api-key" } },
  });
  const [, model = ""] = /--model (\w+)/.exec(row) ?? [];
  const path = `/v1beta/models/${model}:streamGenerateContent?alt=sse`;
  const body = { contents: [{ role: "user", parts: [{ text: "Hello" }] }] };
  expect(await status(path, body, { "x-goog-api-key": rootKey })).toBe(200);
});

test("the recipe for Codex leads to responses, with a key under the name that it is told", async () => {
  const config: unknown = Bun.TOML.parse(blockOf("toml"));
  const providers = isObject(config) ? config["model_providers"] : null;
  const provider = isObject(providers) ? providers["sluice"] : null;
  expect(provider).toMatchObject({ env_key: "SLUICE_KEY", wire_api: "responses" });
  expect(rowOf("Codex")).toContain("SLUICE_KEY=$KEY");
  const base = isObject(provider) ? String(provider["base_url"]) : "";
  const model = isObject(config) ? config["model"] : null;
  const path = `${base.slice(local.length)}/responses`;
  expect(await status(path, { model, input: "Hello" }, bearer)).toBe(200);
});

test("the recipe for LibreChat is YAML whose address has models and answers", async () => {
  const config: unknown = parse(blockOf("yaml"));
  expect(config).toMatchObject({
    endpoints: {
      custom: [{ apiKey: "${SLUICE_KEY}", baseURL: `${local}/v1`, models: { default: ["chatA"] } }],
    },
  });
  expect((await gateway.get("/v1/models")).status).toBe(200);
  expect(await status(`/v1${chat}`, { model: "chatA", messages }, bearer)).toBe(200);
});

test("the recipe for Cursor names a public address", () => {
  expect(rowOf("Cursor")).toMatch(/https:\/\/[\w.]+\/v1`/);
});
