// The conversation of a generateContent request. Clients keep a streamed answer in pieces, and
// Google lets calls and results go without ids: both are put together here.
import { invalid } from "../../core/errors.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import type { CallPart, MediaPart, Part, ResultPart, TextPart, Turn } from "../exchange.ts";
import { mediaKind, readBytes } from "../kit/media.ts";
import { field, listField, objectField, textField } from "./schema.ts";
import { openSignature } from "./signature.ts";

interface History {
  turns: Turn[];
  /** Names of parts' fields that were left out. */
  ignored: string[];
}

export function decodeTurns(contents: readonly JsonObject[]): History {
  const reader = new TurnReader();
  for (const [at, content] of contents.entries()) reader.read(content, `contents.${at}`);
  return { turns: reader.turns, ignored: reader.ignored };
}

class TurnReader {
  readonly turns: Turn[] = [];
  readonly ignored: string[] = [];
  /** Calls that have no result yet. */
  #open = new OpenCalls();
  #calls = 0;
  #orphans = 0;

  read(content: JsonObject, path: string): void {
    const role = content["role"] === "model" ? "assistant" : "user";
    let turn = this.turns.at(-1);
    if (turn?.role !== role) {
      turn = { role, parts: [] };
      this.turns.push(turn);
      // Answers of the tools stand right behind the calls: older ones stay without an answer.
      if (role === "assistant") this.#open = new OpenCalls();
    }
    for (const [index, part] of listField(content, "parts").entries()) {
      const at = `${path}.parts.${index}`;
      const decoded = this.#decode(part, role, at);
      if (decoded) append(turn, decoded);
      if (field(part, "videoMetadata")) this.ignored.push(`${at}.videoMetadata`);
    }
  }

  #decode(part: JsonObject, role: Turn["role"], at: string): Part | null {
    const call = objectField(part, "functionCall");
    if (call) {
      if (role === "user") throw invalid(`${at}.functionCall`, "belongs in a content of the model");
      return this.#decodeCall(call, part);
    }
    const response = objectField(part, "functionResponse");
    if (response) return this.#decodeResult(response, at);
    const media = decodeMedia(part, at);
    if (media) return media;
    const text = codeText(part) ?? textField(part, "text");
    return role === "user" ? decodeUserText(part, text) : decodeModelText(part, text);
  }

  #decodeCall(call: JsonObject, part: JsonObject): CallPart {
    const decoded: CallPart = {
      kind: "call",
      id: textField(call, "id") || `call_${this.#calls}`,
      name: textField(call, "name") ?? "",
      input: JSON.stringify(objectField(call, "args") ?? {}),
      isCustom: false,
    };
    this.#calls++;
    const signature = textField(part, "thoughtSignature");
    if (signature) decoded.proof = { ...openSignature(signature).proof, on: "call" };
    this.#open.add(decoded);
    return decoded;
  }

  #decodeResult(response: JsonObject, at: string): ResultPart {
    const id = textField(response, "id");
    const name = textField(response, "name");
    const call = this.#open.take(id, name);
    const { text, isError } = readOutput(objectField(response, "response") ?? {}, name);
    const media = listField(response, "parts").flatMap((part, index) => {
      const decoded = decodeMedia(part, `${at}.functionResponse.parts.${index}`);
      return decoded ? [decoded] : [];
    });
    const content: ResultPart["content"] = text === "" ? media : [{ kind: "text", text }, ...media];
    return {
      kind: "result",
      callId: call?.id ?? `${name ?? id ?? "tool"}#${this.#orphans++}`,
      name: call?.name ?? name,
      content,
      isError,
      isCustom: false,
    };
  }
}

/** Calls of one text, in their order; those before `next` are taken. */
interface CallLine {
  calls: CallPart[];
  next: number;
}

class OpenCalls {
  readonly #linesById = new Map<string, CallLine>();
  readonly #linesByName = new Map<string, CallLine>();
  readonly #taken = new Set<CallPart>();

  add(call: CallPart): void {
    lineUp(this.#linesById, call.id, call);
    lineUp(this.#linesByName, call.name, call);
  }

  /** Take the call of this id where both have one, else the first open call of that name. */
  take(id: string | null, name: string | null): CallPart | null {
    const call = this.#firstIn(this.#linesById, id) ?? this.#firstIn(this.#linesByName, name);
    if (call) this.#taken.add(call);
    return call;
  }

  #firstIn(lines: ReadonlyMap<string, CallLine>, text: string | null): CallPart | null {
    const line = text === null ? undefined : lines.get(text);
    if (!line) return null;
    for (; line.next < line.calls.length; line.next++) {
      const call = line.calls[line.next];
      if (call && !this.#taken.has(call)) return call;
    }
    return null;
  }
}

function lineUp(lines: Map<string, CallLine>, text: string, call: CallPart): void {
  const line = lines.get(text);
  if (line) line.calls.push(call);
  else lines.set(text, { calls: [call], next: 0 });
}

/** The pieces of one answer, which a client kept as they were streamed, are one text again. */
function append({ role, parts }: Turn, part: Part): void {
  const last = parts.at(-1);
  if (role === "assistant" && last?.kind === "text" && part.kind === "text" && !last.proof) {
    last.text += part.text;
    if (part.proof) last.proof = part.proof;
  } else if (last?.kind === "reasoning" && part.kind === "reasoning" && !last.proof) {
    last.text += part.text;
    last.proof = part.proof;
    last.isRedacted = part.isRedacted;
  } else {
    parts.push(part);
  }
}

function decodeUserText(part: JsonObject, text: string | null): Part | null {
  return text === null || part["thought"] === true ? null : { kind: "text", text };
}

function decodeModelText(part: JsonObject, text: string | null): Part | null {
  const signature = textField(part, "thoughtSignature");
  const opened = signature ? openSignature(signature) : null;
  if (part["thought"] === true) {
    return {
      kind: "reasoning",
      text: (text ?? "") + (opened?.text ?? ""),
      proof: opened?.proof ?? null,
      isRedacted: opened?.isRedacted ?? false,
    };
  }
  if (text === null) return null;
  const decoded: TextPart = { kind: "text", text };
  if (opened) decoded.proof = { ...opened.proof, on: "text" };
  return decoded;
}

/** Code that Google ran and what came of it, as a reader would write them down. */
export function codeText(part: JsonObject): string | null {
  const code = objectField(part, "executableCode");
  if (code) {
    const language = (textField(code, "language") ?? "").toLowerCase();
    return fence(language === "language_unspecified" ? "" : language, textField(code, "code"));
  }
  const result = objectField(part, "codeExecutionResult");
  return result ? fence("", textField(result, "output")) : null;
}

function fence(language: string, text: string | null): string {
  return `\n\`\`\`${language}\n${(text ?? "").replace(/\n$/, "")}\n\`\`\`\n`;
}

/** Null when the part is no media. */
export function decodeMedia(part: JsonObject, at: string): MediaPart | null {
  const inline = objectField(part, "inlineData");
  if (inline) {
    const data = textField(inline, "data") ?? "";
    const declared = textField(inline, "mimeType") ?? "";
    const name = textField(inline, "displayName");
    const read = readBytes(data, declared);
    const isText = declared.startsWith("text/") && read.kind === "bytes";
    const source: MediaPart["source"] = isText
      ? { kind: "text", text: Buffer.from(read.base64, "base64").toString() }
      : read;
    const type = source.kind === "bytes" ? source.type : declared;
    return { kind: "media", media: mediaKind(type), source, at, ...(name ? { name } : {}) };
  }
  const file = objectField(part, "fileData");
  if (!file) return null;
  const uri = textField(file, "fileUri") ?? "";
  const type = textField(file, "mimeType");
  const media = type === null ? kindByName(uri) : mediaKind(type);
  return { kind: "media", media, source: fileSource(uri, type), at };
}

/** Files that Google keeps are known to nobody else. */
function fileSource(uri: string, type: string | null): MediaPart["source"] {
  const isPublic = /^https?:\/\//i.test(uri);
  if (isPublic && !/^https?:\/\/[^/]*\.googleapis\.com\//i.test(uri)) {
    return { kind: "url", url: uri, type };
  }
  return { kind: "file", id: uri, dialect: "content" };
}

function kindByName(uri: string): MediaPart["media"] {
  if (/\/\/(?:[^/]+\.)?(?:youtube\.com|youtu\.be)\//i.test(uri)) return "video";
  return /\.(?:pdf|txt|csv|md|html?)(?:[?#]|$)/i.test(uri) ? "document" : "image";
}

/** Google's keys for what a function gave, and those that its clients use. */
function readOutput(response: JsonObject, name: string | null): { text: string; isError: boolean } {
  const entries = Object.entries(response);
  const [first] = entries;
  if (entries.length === 1 && first) {
    const [key, value = null] = first;
    if (key === "error") return { text: toText(value), isError: true };
    if (key === "output" || key === "result") return { text: toText(value), isError: false };
  }
  const isNamed = entries.length === 2 && response["name"] === name;
  if (isNamed && response["content"] !== undefined) {
    return { text: toText(response["content"]), isError: false };
  }
  return { text: entries.length === 0 ? "" : JSON.stringify(response), isError: false };
}

function toText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
