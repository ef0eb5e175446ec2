// Looks at what passes through: the texts of requests and replies, and what a reply used.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { Observed, StreamObserver, TextRequest } from "../format.ts";
import { explains } from "../kit/emptiness.ts";
import { decodeOpenaiStop } from "../kit/finish-reasons.ts";
import { readText } from "../kit/openai-exchange.ts";
import { estimateText, OpenaiStreamObserver } from "../kit/openai-stream.ts";
import { readOpenaiUsage } from "../kit/openai-usage.ts";
import { idsIn } from "../kit/vendor-objects.ts";
import { toldCustom } from "./choice-decoder.ts";
import { detailText, readReasoning } from "./reasoning-details.ts";
import { thinkingText } from "./said-parts.ts";

export function observeChat(request: TextRequest): StreamObserver {
  if (request.surcharges?.some(({ kind }) => kind === "audio")) return observeSpoken(request);
  return new OpenaiStreamObserver(request, {
    estimate: ({ delta }) => (isObject(delta) ? estimateMessage(delta) : 0),
    brings: bringsDelta,
    thinks: thinksDelta,
  });
}

/** Observe a spoken reply: it can be named later, by the id that stands in its first chunk. */
function observeSpoken(request: TextRequest): StreamObserver {
  const origins: string[] = [];
  const estimate = ({ delta }: JsonObject) => {
    if (!isObject(delta)) return 0;
    for (const id of spokenIn(delta)) if (!origins.includes(id)) origins.push(id);
    return estimateMessage(delta);
  };
  return new OpenaiStreamObserver(
    request,
    { estimate, brings: bringsDelta, thinks: thinksDelta },
    origins,
  );
}

function spokenIn({ audio }: JsonObject): string[] {
  return idsIn(audio, ["id"]);
}

export function readChatReply(body: unknown): Observed | null {
  if (!isObject(body)) return null;
  const { choices } = body;
  if (!Array.isArray(choices)) return null;
  const usage = readOpenaiUsage(body["usage"]);
  const origins: string[] = [];
  let isEmpty = true;
  let hasThought = false;
  let estimate = 0;
  for (const choice of choices) {
    if (!isObject(choice)) continue;
    const { message } = choice;
    isEmpty &&= !brings(choice, message);
    if (!isObject(message)) continue;
    hasThought ||= thoughtFields.some((name) => isSomething(message[name]));
    if (message["audio"] !== undefined) origins.push(...spokenIn(message));
    if (!usage) estimate += estimateMessage(message);
  }
  const outputTokensEstimate = usage?.outputTokens ?? estimate;
  const observed: Observed = { usage, outputTokensEstimate, origins };
  if (hasThought) observed.hasThought = true;
  return isEmpty ? { ...observed, isEmpty } : observed;
}

function bringsDelta(choice: JsonObject): boolean {
  return brings(choice, choice["delta"]);
}

function thinksDelta({ delta }: JsonObject): boolean {
  return isObject(delta) && thoughtFields.some((name) => isSomething(delta[name]));
}

/** Whether a choice, whole or a piece of it, has any part of an answer, or says why not. */
function brings({ finish_reason: finish }: JsonObject, content: Json | undefined): boolean {
  if (isObject(content)) {
    for (const name of answerFields) if (isSomething(content[name])) return true;
  }
  return explains(decodeOpenaiStop(finish, false));
}

const thoughtFields = ["reasoning_content", "reasoning", "reasoning_details"];
const answerFields = [
  "content",
  "tool_calls",
  "refusal",
  ...thoughtFields,
  "function_call",
  "images",
  "audio",
];

function isSomething(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some((part) => !isObject(part) || part["text"] !== "");
  return isObject(value) || (typeof value === "string" && value !== "");
}

/** The text of a whole message or of one delta. */
function estimateMessage(message: JsonObject): number {
  let count = 0;
  for (const text of messageTexts(message)) count += estimateText(text);
  return count;
}

/** Texts the model reads: messages, tools, and the shape that is asked for. */
export function requestTexts(body: JsonObject): string[] {
  const texts = objects(body["messages"]).flatMap(messageTexts);
  for (const name of ["tools", "functions", "response_format"]) {
    const value = body[name];
    if (isObject(value) || (Array.isArray(value) && value.length > 0)) {
      texts.push(JSON.stringify(value));
    }
  }
  return texts;
}

/** Generated texts, of a whole reply or of one chunk. */
export function replyTexts(body: JsonObject): string[] {
  return objects(body["choices"]).flatMap(({ message, delta }) => {
    const content = message ?? delta;
    return isObject(content) ? messageTexts(content) : [];
  });
}

/** The texts of one message or of one delta. */
function messageTexts(message: JsonObject): string[] {
  const texts: string[] = [];
  const reasoning = readReasoning(message);
  add(texts, reasoning);
  const { reasoning_details: details } = message;
  if (reasoning === "" && details) for (const one of objects(details)) add(texts, detailText(one));
  add(texts, message["content"]);
  for (const part of objects(message["content"])) {
    add(texts, part["text"] ?? part["refusal"] ?? thinkingText(part["thinking"]));
  }
  add(texts, message["refusal"]);
  const calls = objects(message["tool_calls"]).map((call) =>
    toldCustom(call) === true ? call["custom"] : call["function"],
  );
  for (const called of [...calls, message["function_call"]]) {
    if (!isObject(called)) continue;
    add(texts, called["name"]);
    add(texts, called["arguments"] ?? called["input"]);
  }
  return texts;
}

function add(texts: string[], value: Json | undefined): void {
  const text = readText(value);
  if (text) texts.push(text);
}

function objects(values: Json | undefined): JsonObject[] {
  return Array.isArray(values) ? values.filter(isObject) : [];
}
