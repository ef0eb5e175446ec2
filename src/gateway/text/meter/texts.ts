// Texts a model read or wrote, out of bodies and events of any format.
import { isObject, JsonError, parseJson, type Json, type JsonObject } from "../../../core/json.ts";
import { readEvents } from "../../../core/sse.ts";
import type { Format } from "../../../formats/format.ts";
import { estimateTokens } from "../../../formats/usage.ts";

interface ReplyTexts {
  /** Whole texts, when the bytes are a whole reply. */
  whole: string[];
  /** The next part of the one text that a stream is. */
  streamed: string;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const jsonStart = /^\s*[{[]/;
const headBytes = 64;

/** Reads whole events, or one whole reply; what is neither has no text. */
export function readReplyTexts(format: Format, bytes: Uint8Array): ReplyTexts {
  if (jsonStart.test(decoder.decode(bytes.subarray(0, headBytes)))) {
    return { whole: textsOf(parse(bytes), (body) => format.replyTexts(body)), streamed: "" };
  }
  let streamed = "";
  for (const { data } of readEvents(decoder.decode(bytes))) {
    const body = parse(encoder.encode(data));
    streamed += textsOf(body, (part) => format.replyTexts(part)).join("");
  }
  return { whole: [], streamed };
}

/** Texts of a body, or of its JSON; any other text is read as it is. */
export function readRequestTexts(format: Format, body: JsonObject | string): string[] {
  if (typeof body !== "string") return textsOf(body, (part) => format.requestTexts(part));
  const parsed = parse(encoder.encode(body));
  if (!isObject(parsed)) return [body];
  return textsOf(parsed, (part) => format.requestTexts(part));
}

export function estimateReply(format: Format, bytes: Uint8Array): number {
  const { whole, streamed } = readReplyTexts(format, bytes);
  return estimateTexts(whole) + estimateTokens(streamed);
}

export function estimateTexts(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + estimateTokens(text), 0);
}

function parse(bytes: Uint8Array): Json {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof JsonError) return null;
    throw error;
  }
}

function textsOf(body: Json, read: (body: JsonObject) => string[]): string[] {
  const bodies = Array.isArray(body) ? body : [body];
  return bodies.filter(isObject).flatMap((part) => {
    try {
      return read(part);
    } catch {
      // Count nothing rather than fail, whatever a vendor sends.
      return [];
    }
  });
}
