// Instructions and turns as a chat's messages.
import type { JsonObject } from "../../core/json.ts";
import type {
  CallPart,
  Exchange,
  MediaPart,
  Part,
  ReasoningPart,
  ResultPart,
} from "../exchange.ts";
import { fileName, toDataUrl } from "../kit/media.ts";
import { unsupported } from "../kit/refuse.ts";
import { encodeSignature, markError } from "./extensions.ts";
import { detailsOf } from "./reasoning-details.ts";

export function encodeMessages({ system, turns }: Exchange): JsonObject[] {
  const messages: JsonObject[] = [];
  if (system.length > 0) messages.push({ role: "system", content: joinTexts(system, "\n\n") });
  for (const { role, parts } of turns) {
    if (role === "user") messages.push(...encodeUser(parts));
    else if (role === "assistant") messages.push(...encodeAssistant(parts));
    else messages.push({ role: "system", content: joinTexts(parts, "\n\n") });
  }
  return messages;
}

/** Results are messages of their own; their media follow in the user's, which alone can hold it. */
function encodeUser(parts: readonly Part[]): JsonObject[] {
  const results = parts.filter((part) => part.kind === "result");
  const content = [
    ...results.flatMap(mediaOf),
    ...parts.flatMap((part): JsonObject[] => {
      if (part.kind === "text") return [{ type: "text", text: part.text }];
      return part.kind === "media" ? [encodeMedia(part)] : [];
    }),
  ];
  const messages = results.map(encodeResult);
  if (content.length === 0) return messages;
  const [first] = content;
  const isPlain = content.length === 1 && first?.["type"] === "text";
  return [...messages, { role: "user", content: isPlain ? first["text"] : content }];
}

function encodeResult({ callId, content, isError }: ResultPart): JsonObject {
  const texts = content.flatMap((part) =>
    part.kind === "text" ? part.text : (textOf(part) ?? []),
  );
  const text =
    texts.length === 0 && content.length > 0
      ? "The result of this tool is in the next message."
      : texts.join("\n");
  return { role: "tool", tool_call_id: callId, content: isError ? markError(text) : text };
}

function mediaOf({ callId, content }: ResultPart): JsonObject[] {
  const media = content
    .filter((part) => part.kind === "media")
    .filter((part) => textOf(part) === null);
  if (media.length === 0) return [];
  const label = { type: "text", text: `Result of the tool call ${callId}:` };
  return [label, ...media.map(encodeMedia)];
}

function encodeAssistant(parts: readonly Part[]): JsonObject[] {
  const media = parts.find((part) => part.kind === "media");
  if (media) throw unsupported(media.at);
  const text = joinTexts(parts, "");
  const refusal = parts.flatMap((part) => (part.kind === "refusal" ? part.text : [])).join("");
  const calls = parts.filter((part) => part.kind === "call").map(encodeCall);
  const reasoning = encodeReasoning(parts.filter((part) => part.kind === "reasoning"));
  const isSilent = calls.length > 0 || refusal !== "";
  if (text === "" && !isSilent && Object.keys(reasoning).length === 0) return [];
  return [
    {
      role: "assistant",
      content: text === "" && isSilent ? null : text,
      ...reasoning,
      ...(refusal === "" ? {} : { refusal }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    },
  ];
}

/** Only what a chat upstream made goes back to one. */
function encodeReasoning(parts: readonly ReasoningPart[]): JsonObject {
  const own = parts.filter(({ proof }) => proof?.dialect === "chat");
  const text = own.map((part) => part.text).join("");
  const details = own.flatMap(({ proof }) => (proof ? detailsOf(proof) : []));
  return {
    ...(text === "" ? {} : { reasoning_content: text }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  };
}

function encodeCall({ id, name, input, isCustom, proof }: CallPart): JsonObject {
  const called: JsonObject = isCustom
    ? { id, type: "custom", custom: { name, input } }
    : { id, type: "function", function: { name, arguments: input === "" ? "{}" : input } };
  if (proof?.dialect !== "chat") return called;
  return { ...called, extra_content: encodeSignature(proof.data) };
}

function joinTexts(parts: readonly Part[], separator: string): string {
  return parts.flatMap((part) => (part.kind === "text" ? part.text : [])).join(separator);
}

const audioFormats: ReadonlyMap<string, string> = new Map([
  ["audio/wav", "wav"],
  ["audio/x-wav", "wav"],
  ["audio/wave", "wav"],
  ["audio/mp3", "mp3"],
  ["audio/mpeg", "mp3"],
]);

function encodeMedia(part: MediaPart): JsonObject {
  switch (part.media) {
    case "image":
      return encodeImage(part);
    case "audio":
      return encodeAudio(part);
    case "document":
      return encodeDocument(part);
    case "video":
      throw unsupported(part.at);
  }
}

/** A document that is plain text is sent as text, under its name; null for any other media. */
function textOf({ media, source, name }: MediaPart): string | null {
  if (media !== "document") return null;
  let text: string | null = null;
  if (source.kind === "text") ({ text } = source);
  else if (source.kind === "bytes" && source.type.startsWith("text/")) {
    text = Buffer.from(source.base64, "base64").toString();
  }
  return text === null || name === undefined ? text : `${name}\n\n${text}`;
}

function encodeImage({ source, detail, at }: MediaPart): JsonObject {
  if (source.kind !== "bytes" && source.kind !== "url") throw unsupported(at);
  const url = source.kind === "bytes" ? toDataUrl(source) : source.url;
  return { type: "image_url", image_url: detail === undefined ? { url } : { url, detail } };
}

function encodeAudio({ source, at }: MediaPart): JsonObject {
  const format = source.kind === "bytes" ? audioFormats.get(source.type) : undefined;
  if (source.kind !== "bytes" || format === undefined) throw unsupported(at);
  return { type: "input_audio", input_audio: { data: source.base64, format } };
}

function encodeDocument(part: MediaPart): JsonObject {
  const { source, name, at } = part;
  const text = textOf(part);
  if (text !== null) return { type: "text", text };
  if (source.kind === "bytes") {
    const filename = fileName(name, source.type);
    return { type: "file", file: { filename, file_data: toDataUrl(source) } };
  }
  // Chat and responses are two doors to the same files.
  const isOwn =
    source.kind === "file" && (source.dialect === "chat" || source.dialect === "responses");
  if (!isOwn) throw unsupported(at);
  return { type: "file", file: { file_id: source.id } };
}
