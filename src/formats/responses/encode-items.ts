// The turns of a conversation as items of an input.
import type { JsonObject } from "../../core/json.ts";
import type { CallPart, MediaPart, Part, ResultPart, TextPart, Turn } from "../exchange.ts";
import { fileName, toDataUrl } from "../kit/media.ts";
import { unsupported } from "../kit/refuse.ts";
import { errorMark } from "./decode-parts.ts";
import { encodeCitation } from "./output-items.ts";

export function encodeTurn({ role, parts }: Turn): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  const closeMessage = () => {
    if (content.length > 0) items.push(message(role, content));
    content = [];
  };
  for (const part of parts) {
    const inside = role === "assistant" ? outputPart(part) : inputPart(part);
    if (inside) {
      content.push(inside);
      continue;
    }
    closeMessage();
    items.push(...encodeItem(part));
  }
  closeMessage();
  return items;
}

/** An instruction in the middle of a conversation is a developer's. */
function message(role: Turn["role"], content: JsonObject[]): JsonObject {
  return { type: "message", role: role === "system" ? "developer" : role, content };
}

function outputPart(part: Part): JsonObject | null {
  if (part.kind === "text") {
    // Files that are cited are not this vendor's.
    const cited = (part.citations ?? []).filter(({ url }) => url !== null);
    const annotations = cited.map((citation) =>
      encodeCitation({ ...citation, quote: null }, part.text.length),
    );
    return { type: "output_text", text: part.text, annotations };
  }
  return part.kind === "refusal" ? { type: "refusal", refusal: part.text } : null;
}

function inputPart(part: Part): JsonObject | null {
  if (part.kind === "text" || part.kind === "refusal") {
    return { type: "input_text", text: part.text };
  }
  return part.kind === "media" ? encodeMedia(part) : null;
}

/** Parts that are items of their own. */
function encodeItem(part: Part): JsonObject[] {
  switch (part.kind) {
    case "call":
      return [encodeCall(part)];
    case "result":
      return [encodeResult(part)];
    case "media":
      // A model's own image cannot stand in its own message: it is shown to it by the user.
      return [message("user", [encodeMedia(part)])];
    case "reasoning": {
      const { text, proof } = part;
      if (proof?.dialect !== "responses") return [];
      const summary = text === "" ? [] : [{ type: "summary_text", text }];
      const id = proof.id === undefined ? {} : { id: proof.id };
      return [{ type: "reasoning", ...id, summary, encrypted_content: proof.data }];
    }
    default:
      return [];
  }
}

function encodeCall({ id, name, input, isCustom }: CallPart): JsonObject {
  if (isCustom) return { type: "custom_tool_call", call_id: id, name, input };
  return { type: "function_call", call_id: id, name, arguments: input === "" ? "{}" : input };
}

function encodeResult({ callId, content, isError, isCustom }: ResultPart): JsonObject {
  const type = isCustom ? "custom_tool_call_output" : "function_call_output";
  const mark: TextPart = { kind: "text", text: errorMark };
  const parts = isError ? [mark, ...content] : content;
  const texts = parts.filter((part) => part.kind === "text");
  const output =
    texts.length === parts.length
      ? texts.map(({ text }) => text).join("\n")
      : parts.map(resultPart);
  return { type, call_id: callId, output };
}

function resultPart(part: TextPart | MediaPart): JsonObject {
  return part.kind === "text" ? { type: "input_text", text: part.text } : encodeMedia(part);
}

function encodeMedia(part: MediaPart): JsonObject {
  if (part.media === "image") return encodeImage(part);
  if (part.media === "document") return encodeDocument(part);
  throw unsupported(part.at);
}

function encodeImage({ source, detail, at }: MediaPart): JsonObject {
  const image = { type: "input_image", detail: detail ?? "auto" };
  switch (source.kind) {
    case "bytes":
      return { ...image, image_url: toDataUrl(source) };
    case "url":
      return { ...image, image_url: source.url };
    case "file":
      if (isForeign(source.dialect)) throw unsupported(at);
      return { ...image, file_id: source.id };
    case "text":
      throw unsupported(at);
  }
}

function encodeDocument({ source, name, at }: MediaPart): JsonObject {
  switch (source.kind) {
    case "bytes":
      return file(fileName(name, source.type), toDataUrl(source));
    case "text": {
      const type = "text/plain";
      const base64 = Buffer.from(source.text).toString("base64");
      return file(fileName(name, type), toDataUrl({ kind: "bytes", type, base64 }));
    }
    case "url":
      return { type: "input_file", file_url: source.url };
    case "file":
      if (isForeign(source.dialect)) throw unsupported(at);
      return { type: "input_file", file_id: source.id };
  }
}

function file(filename: string, data: string): JsonObject {
  return { type: "input_file", filename, file_data: data };
}

/** Chat and responses are two doors to the same files. */
function isForeign(dialect: string): boolean {
  return dialect !== "responses" && dialect !== "chat";
}
