// Reads a chat completion request and checks what the types alone cannot say.
import { invalid } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { parseWith } from "../../core/schema.ts";
import { noOrigins, type NeededOrigins, type TextRequest } from "../format.ts";
import { readNumber, readOutputBound, wantsUsage } from "../kit/openai-fields.ts";
import { isSealed } from "../kit/proof.ts";
import { readSignature } from "./extensions.ts";
import { chatRequest } from "./schema.ts";

const outputBounds = ["max_completion_tokens", "max_tokens"];
const mediaTypes = new Set(["image_url", "input_audio", "file"]);

export function readChatRequest(body: JsonObject): TextRequest {
  const { model, messages } = parseWith(chatRequest, body);
  const media: MediaCount = { parts: 0, bytes: 0, readsMore: false };
  for (let at = 0; at < messages.length; at++) {
    const content = messages[at]?.content;
    if (Array.isArray(content)) countMedia(content, at, media);
  }
  return {
    model,
    stream: body["stream"] === true,
    framing: "events",
    choices: readNumber(body["n"]) ?? 1,
    outputTokensMax: readOutputBound(body, outputBounds),
    mediaParts: media.parts,
    mediaBytes: media.bytes,
    readsMore: media.readsMore,
    wantsUsage: wantsUsage(body),
    origins: findOrigins(body["messages"]),
  };
}

interface MediaCount {
  parts: number;
  bytes: number;
  readsMore: boolean;
}

function countMedia(parts: readonly unknown[], message: number, media: MediaCount): void {
  for (const [at, part] of parts.entries()) {
    const param = `messages.${message}.content.${at}`;
    if (!isObject(part)) throw invalid(param, "must be an object");
    const type = part["type"];
    if (typeof type !== "string") throw invalid(`${param}.type`, "is required");
    if (type === "text" && typeof part["text"] !== "string") {
      throw invalid(`${param}.text`, "must be a string");
    }
    if (!mediaTypes.has(type)) continue;
    media.parts++;
    media.bytes += encodedBytes(part, type, param);
    if (isObject(part["file"]) && part["file"]["file_id"] !== undefined) media.readsMore = true;
  }
}

/** Images and sound are paid for by the part; a document may have as many words as it has bytes. */
function encodedBytes(part: JsonObject, type: string, param: string): number {
  const holder = part[type];
  if (!isObject(holder)) throw invalid(`${param}.${type}`, "must be an object");
  if (type === "image_url" && typeof holder["url"] !== "string") {
    throw invalid(`${param}.image_url.url`, "must be a string");
  }
  const data = holder["url"] ?? holder["data"];
  if (typeof data !== "string") return 0;
  return type === "image_url" && !data.startsWith("data:") ? 0 : data.length;
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
  return lastSealed(calls, readSignature) ?? lastSealed(details, ({ data }) => data);
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
