// Frames of Bedrock's streams as events. InvokeModel wraps the events of the model's own wire,
// Converse has events of its own, and either may break off with an exception behind its 200.
import type { EventFrame } from "../../core/frames/event-stream.ts";
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";
import type { SseEvent } from "../../core/sse.ts";
import { textOf } from "../kit/vendor-reply.ts";
import { wordFor } from "./exceptions.ts";

export function readBedrockFrame({ headers, payload }: EventFrame): SseEvent {
  const messageType = headers.get(":message-type");
  if (messageType === "error") {
    return errorEvent(headers.get(":error-code") ?? "", headers.get(":error-message") ?? "");
  }
  if (messageType === "exception") {
    const { message, Message: older } = readBody(payload);
    return errorEvent(headers.get(":exception-type") ?? "", textOf(message) ?? textOf(older) ?? "");
  }
  const event = headers.get(":event-type") ?? null;
  return event === "chunk" ? wrappedEvent(payload) : { event, data: oneLine(textIn(payload)) };
}

/** In the words of Anthropic's wire, with the vendor's own name of it besides. */
function errorEvent(exception: string, words: string): SseEvent {
  const message = words === "" ? `The upstream broke off with ${exception || "an error"}.` : words;
  const error = { type: wordFor(exception), message, exception };
  return { event: "error", data: JSON.stringify({ type: "error", error }) };
}

/** `{"bytes": …}`: the JSON of one event, whose type is its name. */
function wrappedEvent(payload: Uint8Array): SseEvent {
  const { bytes } = readBody(payload);
  const text = typeof bytes === "string" ? Buffer.from(bytes, "base64").toString() : "";
  if (text.includes(metricsField)) return withoutMetrics(text);
  const [, type = null] = typeFirst.exec(text) ?? [];
  return { event: type ?? typeIn(text), data: oneLine(text) };
}

/** Vendors write it first, so that hardly an event is parsed here. */
const typeFirst = /^\{\s*"type"\s*:\s*"(\w+)"/;
/** Counts of the cloud's own beside those of the event, which no client of the wire knows. */
const metricsField = "amazon-bedrock-invocationMetrics";

function withoutMetrics(text: string): SseEvent {
  const { [metricsField]: _metrics, ...event } = readBody(Buffer.from(text));
  return { event: textOf(event["type"]), data: JSON.stringify(event) };
}

function typeIn(text: string): string | null {
  return textOf(readBody(Buffer.from(text))["type"]);
}

function readBody(bytes: Uint8Array): JsonObject {
  try {
    const body = parseJson(bytes);
    return isObject(body) ? body : {};
  } catch {
    // No JSON: whoever reads the event finds nothing in it.
    return {};
  }
}

const decoder = new TextDecoder();

function textIn(payload: Uint8Array): string {
  return decoder.decode(payload);
}

/** A line break between the tokens of JSON would end the data; none stands inside of them. */
function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, " ") : text;
}
