// Gemini below a project: Google's wire, with the traffic that served it told beside the usage.
import { isObject, type JsonObject } from "../../src/core/json.ts";
import { invalid } from "../google/errors.ts";
import type { Answer, VendorRequest } from "../vendor.ts";
import { jsonBodyOf } from "../wire.ts";
import type { VertexAsk, VertexVendors } from "./ask.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const plainTraffic = "ON_DEMAND";

export function geminiAnswer(ask: VertexAsk, { google }: VertexVendors): Answer {
  const isCount = ask.verb === "countTokens";
  const body = isCount ? wrapped(ask) : ask.request.body;
  if (namesTier(ask)) throw invalid('Unknown name "serviceTier": Cannot find field.');
  return withTraffic(google.answer({ ...behind(ask), body }), trafficOf(ask));
}

function namesTier({ request }: VertexAsk): boolean {
  const body = jsonBodyOf(request);
  return isObject(body) && (body["serviceTier"] ?? body["service_tier"]) !== undefined;
}

/** The traffic that a header asks for. */
function trafficOf({ request }: VertexAsk): string {
  const tier = request.headers.get("x-vertex-ai-llm-shared-request-type");
  return tier === null ? plainTraffic : `${plainTraffic}_${tier.toUpperCase()}`;
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

function withTraffic(answer: Answer, trafficType: string): Answer {
  const { content, status } = answer;
  if (status !== 200) return answer;
  if (content.kind === "whole") {
    const bytes = encoder.encode(
      JSON.stringify(told(JSON.parse(decoder.decode(content.bytes)), trafficType)),
    );
    return { ...answer, content: { kind: "whole", bytes } };
  }
  const events = content.events.map((event) => {
    const text = decoder.decode(event);
    if (!text.startsWith("data: ")) return event;
    const body: unknown = JSON.parse(text.slice("data: ".length));
    return encoder.encode(`data: ${JSON.stringify(told(body, trafficType))}\r\n\r\n`);
  });
  return { ...answer, content: { kind: "events", events } };
}

function told(body: unknown, trafficType: string): JsonObject {
  if (!isObject(body)) return {};
  const { usageMetadata: usage } = body;
  return isObject(usage) ? { ...body, usageMetadata: { ...usage, trafficType } } : body;
}
