// The items and parts that a response's output is made of, down to the citations of a text.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { CallPart, Citation, MediaPart, Proof } from "../exchange.ts";
import { readText } from "../kit/openai-exchange.ts";
import { readNumber } from "../kit/openai-fields.ts";

export type ItemStatus = "in_progress" | "completed" | "incomplete";

export function messageItem(id: string, content: JsonObject[], status: ItemStatus): JsonObject {
  return { id, type: "message", status, role: "assistant", content };
}

export function textPart(text: string, annotations: JsonObject[]): JsonObject {
  return { type: "output_text", text, annotations, logprobs: [] };
}

export function refusalPart(refusal: string): JsonObject {
  return { type: "refusal", refusal };
}

export function reasoningItem(id: string, text: string, encrypted: string | null): JsonObject {
  const summary = text === "" ? [] : [summaryPart(text)];
  const item: JsonObject = { id, type: "reasoning", summary };
  return encrypted === null ? item : { ...item, encrypted_content: encrypted };
}

export function summaryPart(text: string): JsonObject {
  return { type: "summary_text", text };
}

/** A vendor's empty signature says something only of a text. */
export function isEmptyReasoning(text: string, proof: Proof | null): boolean {
  return text === "" && (proof === null || proof.data === "");
}

type Call = Pick<CallPart, "id" | "name" | "input" | "isCustom">;

/** A custom call has no status of its own but clients want to read that it is complete. */
export function callItem(id: string, call: Call, status: ItemStatus): JsonObject {
  const { id: callId, name, input, isCustom } = call;
  if (isCustom) {
    const shown = status === "in_progress" ? status : "completed";
    return { id, type: "custom_tool_call", status: shown, call_id: callId, name, input };
  }
  const text = input === "" && status !== "in_progress" ? "{}" : input;
  return { id, type: "function_call", status, call_id: callId, name, arguments: text };
}

/** An image goes as an image only when its bytes are there. */
export function imageBytes({ media, source }: MediaPart): string | null {
  return media === "image" && source.kind === "bytes" ? source.base64 : null;
}

export function imageItem(id: string, part: MediaPart): JsonObject {
  const { source } = part;
  const format = source.kind === "bytes" ? source.type.replace("image/", "") : "png";
  return {
    id,
    type: "image_generation_call",
    status: "completed",
    output_format: format,
    result: imageBytes(part),
  };
}

/** Vendors of other dialects cite the documents of a request by number: it goes as a file's id. */
const documentId = /^document_(\d+)$/;

/** One that does not say where it ends is of all of its text from its start on. */
export function encodeCitation(
  { url, title, quote, ...place }: Citation,
  textLength: number,
): JsonObject {
  const cited = quote === null ? {} : { quote };
  const start = place.start ?? 0;
  if (url !== null) {
    const span = { start_index: start, end_index: place.end ?? textLength };
    return { type: "url_citation", ...span, title: title ?? "", url, ...cited };
  }
  return {
    type: "file_citation",
    file_id: `document_${place.document ?? 0}`,
    filename: title ?? "",
    index: start,
    ...cited,
  };
}

/** Null when it is an annotation that cites nothing. */
export function readCitation(annotation: Json | undefined): Citation | null {
  if (!isObject(annotation)) return null;
  const url = readText(annotation["url"]);
  const title = readText(annotation["title"]) ?? readText(annotation["filename"]);
  if (url === null && title === null) return null;
  const [, document] = documentId.exec(readText(annotation["file_id"]) ?? "") ?? [];
  return {
    url,
    title,
    quote: readText(annotation["quote"]),
    start: readNumber(annotation["start_index"] ?? annotation["index"]),
    end: readNumber(annotation["end_index"]),
    document: document === undefined ? null : Number(document),
  };
}

export function readCitations(annotations: Json | undefined): Citation[] {
  if (!Array.isArray(annotations)) return [];
  return annotations.flatMap((annotation) => readCitation(annotation) ?? []);
}
