// An upstream's whole response as a reply.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Reply, ReplyPart } from "../exchange.ts";
import { readText } from "../kit/openai-exchange.ts";
import { reasoningText } from "./decode-items.ts";
import { decodeGenerated } from "./decode-parts.ts";
import { callOf } from "./decode-stream.ts";
import { readCitations } from "./output-items.ts";
import { readStop } from "./stop-reason.ts";
import { readSearchItem } from "./web-search.ts";
import { readOpenaiUsage } from "../kit/openai-usage.ts";

/** Null when it is no response, or one that failed. */
export function decodeResponsesReply(body: unknown): Reply | null {
  if (!isResponse(body)) return null;
  const output = Array.isArray(body["output"]) ? body["output"] : [];
  const parts = output.flatMap((item) => (isObject(item) ? decodeOutput(item) : []));
  const hasCalls = parts.some(({ kind }) => kind === "call");
  const stop = readStop(body, { hasOutput: parts.length > 0, hasCalls });
  return {
    id: typeof body["id"] === "string" ? body["id"] : null,
    choices: [{ parts, stop, stopSequence: null }],
    usage: readOpenaiUsage(body["usage"]),
  };
}

export function isResponse(body: unknown): body is JsonObject {
  if (!isObject(body) || !Array.isArray(body["output"])) return false;
  return body["status"] !== "failed" && body["status"] !== "cancelled";
}

function decodeOutput(item: JsonObject): ReplyPart[] {
  switch (item["type"]) {
    case "message":
      return Array.isArray(item["content"]) ? item["content"].flatMap(decodeContent) : [];
    case "reasoning":
      return decodeReasoning(item);
    case "web_search_call": {
      const search = readSearchItem(item);
      return search ? [search] : [];
    }
    case "image_generation_call":
      return decodeGenerated(item, "output");
    default: {
      const call = callOf(item);
      if (!call) return [];
      const input = readText(call.isCustom ? item["input"] : item["arguments"]) ?? "";
      return [{ ...call, input: input === "" && !call.isCustom ? "{}" : input }];
    }
  }
}

function decodeContent(part: Json): ReplyPart[] {
  if (!isObject(part)) return [];
  const { type, text, refusal, annotations } = part;
  if (type === "refusal" && typeof refusal === "string")
    return [{ kind: "refusal", text: refusal }];
  if (typeof text !== "string") return [];
  const citations = readCitations(annotations);
  return [citations.length === 0 ? { kind: "text", text } : { kind: "text", text, citations }];
}

function decodeReasoning(item: JsonObject): ReplyPart[] {
  const text = reasoningText(item);
  const { id, encrypted_content: data } = item;
  if (typeof data !== "string" || data === "") {
    return text === "" ? [] : [{ kind: "reasoning", text, proof: null, isRedacted: false }];
  }
  const named = typeof id === "string" ? { id } : {};
  const proof = { dialect: "responses" as const, data, ...named };
  return [{ kind: "reasoning", text, proof, isRedacted: false }];
}
