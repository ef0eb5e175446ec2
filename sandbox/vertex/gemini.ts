// Gemini below a project: Google's wire, with the traffic that served it told beside the usage.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { jsonBodyOf } from "../wire.ts";
import type { VertexAsk, VertexVendors } from "./ask.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const trafficType = "ON_DEMAND";

export function geminiAnswer(ask: VertexAsk, { google }: VertexVendors): Answer {
  const isCount = ask.verb === "countTokens";
  const body = isCount ? wrapped(ask) : ask.request.body;
  return withTraffic(google.answer({ ...behind(ask), body }));
}

/** The same request, as Google's other API has it. */
export function behind({ request, caller, model, verb }: VertexAsk): VendorRequest {
  const headers = new Headers(request.headers);
  headers.delete("authorization");
  headers.set("x-goog-api-key", caller);
  return { ...request, path: `/v1beta/models/${encodeURIComponent(model)}:${verb}`, headers };
}

function wrapped({ request, model }: VertexAsk): Uint8Array {
  const body = jsonBodyOf(request);
  if (!isObject(body)) return request.body;
  const generateContentRequest = { ...body, model: `models/${model}` };
  return encoder.encode(JSON.stringify({ generateContentRequest }));
}

function withTraffic(answer: Answer): Answer {
  const { content, status } = answer;
  if (status !== 200) return answer;
  if (content.kind === "whole") {
    const bytes = encoder.encode(JSON.stringify(told(JSON.parse(decoder.decode(content.bytes)))));
    return { ...answer, content: { kind: "whole", bytes } };
  }
  const events = content.events.map((event) => {
    const text = decoder.decode(event);
    if (!text.startsWith("data: ")) return event;
    const body: unknown = JSON.parse(text.slice("data: ".length));
    return encoder.encode(`data: ${JSON.stringify(told(body))}\r\n\r\n`);
  });
  return { ...answer, content: { kind: "events", events } };
}

function told(body: unknown): JsonObject {
  if (!isObject(body)) return {};
  const { usageMetadata: usage } = body;
  return isObject(usage) ? { ...body, usageMetadata: { ...usage, trafficType } } : body;
}
