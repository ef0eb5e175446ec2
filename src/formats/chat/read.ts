// Reads a chat completion request and checks what the types alone cannot say.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import { noOrigins, type NeededOrigins, type TextRequest } from "../format.ts";
import { MediaBound, noMedia } from "../kit/media-bound.ts";
import { VendorObjects } from "../kit/vendor-objects.ts";
import { readNumber, readOutputBound, wantsUsage } from "../kit/openai-fields.ts";
import { isSealed } from "../kit/proof.ts";
import { readSignature } from "./extensions.ts";
import { chatRequest } from "./schema.ts";

const outputBounds = ["max_completion_tokens", "max_tokens"];

export function readChatRequest(body: JsonObject): TextRequest {
  const { model, messages } = parseWith(chatRequest, body);
  let findings: Findings | null = null;
  for (let at = 0; at < messages.length; at++) {
    const content = messages[at]?.content;
    if (Array.isArray(content)) checkParts(content, at, (findings ??= newFindings()));
    const audio = messages[at]?.audio;
    if (isObject(audio)) {
      (findings ??= newFindings()).objects.addFrom(audio, ["id"], `messages.${at}.audio`);
    }
  }
  const hold = findings?.media.hold ?? noMedia;
  const origins = findOrigins(body["messages"]);
  const request: TextRequest = {
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: readNumber(body["n"]) ?? 1,
    outputTokensMax: readOutputBound(body, outputBounds),
    mediaParts: hold.mediaParts,
    mediaBytes: hold.mediaBytes,
    readsMore: hold.readsMore,
    wantsUsage: wantsUsage(body),
    origins: findings?.objects.joinedTo(origins) ?? origins,
  };
  if (body["stop"] || endsTurn(messages.at(-1)?.role)) request.mayBeEmpty = true;
  return request;
}

/** Behind the result of a tool, or its own words, a model may have nothing more to say. */
function endsTurn(role: unknown): boolean {
  return role === "tool" || role === "function" || role === "assistant";
}

interface Findings {
  media: MediaBound;
  objects: VendorObjects;
}

function newFindings(): Findings {
  return { media: new MediaBound(), objects: new VendorObjects() };
}

function checkParts(parts: readonly unknown[], message: number, findings: Findings): void {
  for (const [at, part] of parts.entries()) {
    const param = `messages.${message}.content.${at}`;
    if (!isObject(part)) throw invalid(param, "must be an object");
    const type = part["type"];
    if (typeof type !== "string") throw invalid(`${param}.type`, "is required");
    if (type === "text" || type === "refusal" || type === "thinking") {
      if (type === "text" && typeof part["text"] !== "string") {
        throw invalid(`${param}.text`, "must be a string");
      }
    } else {
      findings.objects.addFrom(part, ["file_id"], param);
      findings.objects.addFrom(part[type], ["file_id"], `${param}.${type}`);
      if (mediaTypes.has(type)) addMedia(part, { type, param }, findings.media);
      else findings.media.unknown(part);
    }
  }
}

const mediaTypes = new Set(["image_url", "input_audio", "file"]);

function addMedia(
  part: JsonObject,
  { type, param }: { type: string; param: string },
  media: MediaBound,
): void {
  const holder = part[type];
  if (!isObject(holder)) throw invalid(`${param}.${type}`, "must be an object");
  const { url, data, file_data: file } = holder;
  if (type === "image_url") {
    if (typeof url !== "string") throw invalid(`${param}.image_url.url`, "must be a string");
    media.picture(url);
  } else {
    const inline = type === "file" ? file : data;
    if (typeof inline === "string") media.inline(inline);
    else media.elsewhere();
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
