// The two sides of the matrix, and the models that stand for each dialect.
import { join } from "node:path";
import type { JsonObject } from "../../src/core/json.ts";
import type { UpstreamDialect } from "../../src/formats/exchange.ts";
import type {
  ClientSide,
  Format,
  ReplyFrame,
  TextRequest,
  UpstreamSide,
} from "../../src/formats/format.ts";
import { formats } from "../../src/formats/index.ts";
import { toExchange } from "../../src/gateway/text/plan-text.ts";

/** Those that clients speak too. */
export const sharedDialects = ["chat", "responses", "messages", "content"] as const;
export const dialects = [...sharedDialects, "converse"] as const;
export const clients = ["chat", "completions", "responses", "messages", "content"] as const;
export type ClientName = (typeof clients)[number];

/** The first is asked everything; the others are asked what older models take in another way. */
export const models: Readonly<Record<UpstreamDialect, readonly string[]>> = {
  chat: ["gpt-5.2", "gpt-4.1", "gpt-5.4", "o3"],
  responses: ["gpt-5.2", "gpt-5", "gpt-4.1"],
  messages: [
    "claude-opus-4-6",
    "claude-3-5-haiku-20241022",
    "claude-sonnet-4-5",
    "claude-opus-4-7",
    "claude-opus-5-5",
  ],
  content: ["gemini-3-pro-preview", "gemini-2.5-flash"],
  converse: [
    "anthropic.claude-opus-4-6-v1:0",
    "anthropic.claude-3-5-haiku-20241022-v1:0",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "global.anthropic.claude-opus-5-5-v1:0",
    "amazon.nova-2-lite-v1:0",
    "openai.gpt-oss-120b-1:0",
    "meta.llama3-3-70b-instruct-v1:0",
    "mistral.mistral-7b-instruct-v0:2",
  ],
};

export const folder = import.meta.dir;

export function readFixture(...path: string[]): Promise<string> {
  return Bun.file(join(folder, "fixtures", ...path)).text();
}

/** A file of bodies by what they are about. */
export async function readBodies(...path: string[]): Promise<Record<string, JsonObject>> {
  return JSON.parse(await readFixture(...path)) as Record<string, JsonObject>;
}

/** Google's clients say in the address what the others say in the body. */
export function readRequest(format: Format, body: JsonObject, isStreamed: boolean): TextRequest {
  const address = { model: "public-model", stream: isStreamed, framing: "events" } as const;
  return format.read(body, format.name === "content" ? address : null);
}

export function clientSide(name: ClientName): ClientSide {
  const { client } = formats[name];
  if (!client) throw new Error(`${name} has no clients`);
  return client;
}

export function upstreamSide(dialect: UpstreamDialect): UpstreamSide {
  const { upstream } = formats[dialect];
  if (!upstream) throw new Error(`${dialect} has no upstreams`);
  return upstream;
}

/** Frame that the reply to a request is written with. */
export function frameOf(client: ClientName, body: JsonObject): ReplyFrame {
  const format = formats[client];
  const request = readRequest(format, body, true);
  return {
    requestId: "req_1",
    createdAtSeconds: 1_790_000_000,
    exchange: toExchange(format, body, request),
    request,
    body,
  };
}
