// Reads a chat completion request and checks what the types alone cannot say.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import { noOrigins, type NeededOrigins, type TextRequest } from "../format.ts";
import { nameFilesInMessages } from "../kit/resellers/file-words.ts";
import { PlaceWalk } from "../kit/places/walk-places.ts";
import { readNumber, readOutputBound, wantsCost, wantsUsage } from "../kit/openai-fields.ts";
import { isSealed } from "../kit/proof.ts";
import { readSignature } from "./extensions.ts";
import { chatPlaces } from "./places.ts";
import { chatRequest } from "./schema.ts";

const outputBounds = ["max_completion_tokens", "max_tokens"];

export function readChatRequest(body: JsonObject): TextRequest {
  const { model, messages } = parseWith(chatRequest, body);
  for (let at = 0; at < messages.length; at++) {
    const { role, content } = messages[at] ?? {};
    if (Array.isArray(content)) checkParts(content, at);
    else if (role === "user" && (content ?? null) === null) {
      throw invalid(`messages.${at}.content`, "is missing: a user message has a text or parts");
    }
  }
  const walk = new PlaceWalk().body(body, chatPlaces);
  nameFilesInMessages(walk.objects, body["messages"], "messages");
  const request: TextRequest = {
    ...walk.hold,
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: Math.max(readNumber(body["n"]) ?? 1, readNumber(body["best_of"]) ?? 1),
    outputTokensMax: readOutputBound(body, outputBounds),
    wantsUsage: wantsUsage(body),
    origins: walk.objects.joinedTo(findOrigins(body["messages"])),
  };
  if (wantsCost(body)) request.wantsCost = true;
  if (body["stop"] || endsTurn(messages.at(-1)?.role)) request.mayBeEmpty = true;
  return request;
}

/** Behind the result of a tool, or its own words, a model may have nothing more to say. */
function endsTurn(role: unknown): boolean {
  return role === "tool" || role === "function" || role === "assistant";
}

function checkParts(parts: readonly unknown[], message: number): void {
  for (const [at, part] of parts.entries()) {
    const param = `messages.${message}.content.${at}`;
    if (!isObject(part)) throw invalid(param, "must be an object");
    const type = part["type"];
    if (typeof type !== "string") throw invalid(`${param}.type`, "is required");
    if (type === "text" && typeof part["text"] !== "string") {
      throw invalid(`${param}.text`, "must be a string");
    }
    if (mediaTypes.has(type)) checkMedia(part[type], `${param}.${type}`, type);
  }
}

const mediaTypes = new Set(["image_url", "input_audio", "file"]);

function checkMedia(holder: Json | undefined, param: string, type: string): void {
  if (!isObject(holder)) throw invalid(param, "must be an object");
  if (type === "image_url" && typeof holder["url"] !== "string") {
    throw invalid(`${param}.url`, "must be a string");
  }
}

/** The latest proof that a reply of ours brought: its maker can go on from there best. */
function findOrigins(messages: Json | undefined): NeededOrigins {
  if (!Array.isArray(messages)) return noOrigins;
  for (let at = messages.length - 1; at >= 0; at--) {
    const preferred = lastProof(messages[at]);
    if (preferred !== null) return { required: null, preferred };
  }
  return noOrigins;
}

/** Those of calls come after those of what was thought before. */
function lastProof(message: Json | undefined): string | null {
  if (!isObject(message)) return null;
  const { reasoning_details: details, tool_calls: calls } = message;
  return lastSealed(calls, readSignature) ?? lastSealed(details, readData);
}

function readData({ data }: JsonObject): Json | undefined {
  return data;
}

function lastSealed(
  holders: Json | undefined,
  read: (holder: JsonObject) => Json | undefined,
): string | null {
  if (!Array.isArray(holders)) return null;
  for (let at = holders.length - 1; at >= 0; at--) {
    const holder = holders[at];
    const text = isObject(holder) ? read(holder) : null;
    if (typeof text === "string" && isSealed(text)) return text;
  }
  return null;
}
