// Watches replies that pass through: usage, generated text, signatures, ends and errors.
import { isObject, type JsonObject } from "../../core/json.ts";
import { findBytes, type SseEvent } from "../../core/sse.ts";
import type { Observed, Sighting, StreamObserver, TextRequest } from "../format.ts";
import { explains } from "../kit/emptiness.ts";
import { estimateTokens, laterUsage, type Usage } from "../usage.ts";
import { partTexts } from "./read.ts";
import { canonical } from "./signature.ts";
import { readFinish, readStop } from "./stop-reason.ts";
import { readContentUsage, writeContentUsage } from "./usage.ts";

const pass: Sighting = { kind: "pass" };
const hide: Sighting = { kind: "hide" };
const wait: Sighting = { kind: "wait" };

const encoder = new TextEncoder();
const eventStart = encoder.encode("data: {");
const eventEnds = ["}\n\n", "}\r\n\r\n"].map((text) => encoder.encode(text));
/** Names that must be read where they stand; inside a text every quote is escaped. */
const readNames = [
  '"usageMetadata"',
  '"finishReason"',
  '"thoughtSignature"',
  '"promptFeedback"',
  '"error"',
].map((name) => encoder.encode(name));
const bytesPerToken = 4;
/** The field's name in front of the data and the blank line behind it. */
const lineBytes = 8;
/** A stream has few signatures; a vendor that sends more is not remembered in full. */
const originsMax = 256;

export class ContentStreamObserver implements StreamObserver {
  readonly #isSkimmed: boolean;
  readonly #candidates = new Map<number, boolean>();
  readonly #origins: string[] = [];
  #isBlocked = false;
  #usage: Usage | null = null;
  #outputTokens = 0;
  #frameBytes = 0;
  #brings = false;
  #isUnreadable = false;
  #images = 0;

  constructor({ choices, draws }: TextRequest) {
    // An unread piece must not be the first that is seen of another candidate, or a picture.
    this.#isSkimmed = choices === 1 && !draws;
  }

  /** Google itself puts the usage on every event; what speaks its wire often does not. */
  skim(bytes: Uint8Array): boolean {
    if (!this.#isSkimmed || this.#frameBytes === 0 || !isPlainEvent(bytes)) return false;
    this.#outputTokens += Math.max(0, bytes.length - this.#frameBytes) / bytesPerToken;
    return true;
  }

  see({ data }: SseEvent): Sighting {
    // Google's own client chokes on another format's end marker.
    if (data === "[DONE]") return hide;
    const chunk = parseChunk(data);
    if (!chunk) return { kind: "fault", message: "an event of the stream is not JSON" };
    const fault = readChunkFault(chunk);
    if (fault !== null) return { kind: "fault", message: fault };
    this.#seeCandidates(chunk);
    this.#isBlocked ||= isBlocked(chunk);
    this.#usage = laterUsage(this.#usage, readContentUsage(chunk["usageMetadata"]));
    this.#images += countImages(chunk);
    const tokens = estimateReply(chunk);
    this.#outputTokens += tokens;
    if (tokens > 0 && chunk["usageMetadata"] === undefined) {
      this.#frameBytes = Math.max(1, data.length + lineBytes - tokens * bytesPerToken);
    }
    this.#brings ||= tokens > 0 || replyBrings(chunk);
    this.#isUnreadable ||= endsUnread(chunk);
    // This wire has no announcements: an event of nothing may be all that there is.
    if (!this.#brings) return wait;
    // A client reads its usage in the last event; where there is none, it is told once it is known.
    return this.isWhole() && this.lacksUsage() ? wait : pass;
  }

  isEmpty(): boolean {
    return !this.#brings;
  }

  /** The stream ends with its connection: it is whole when nothing that began is unfinished. */
  isWhole(): boolean {
    if (this.#isBlocked) return true;
    const finished = [...this.#candidates.values()];
    return finished.length > 0 && finished.every((isFinished) => isFinished);
  }

  observed(): Observed {
    const observed: Observed = {
      usage: this.#usage,
      outputTokensEstimate: this.#outputTokens,
      origins: this.#origins,
    };
    if (this.#images > 0) observed.images = this.#images;
    if (this.#isUnreadable && !this.#brings) observed.isUnreadable = true;
    return observed;
  }

  lacksUsage(): boolean {
    return !this.#usage?.outputTokens;
  }

  endWithUsage(endEvents: readonly SseEvent[], usage: Usage): SseEvent[] {
    const lastChunk = parseChunk(endEvents.at(-1)?.data ?? "");
    const data = JSON.stringify(writeReplyUsage(lastChunk ?? {}, usage));
    return [...endEvents.slice(0, -1), { event: null, data }];
  }

  #seeCandidates(chunk: JsonObject): void {
    for (const [at, candidate] of candidatesOf(chunk).entries()) {
      const index = candidateIndex(candidate, at);
      const isFinished = readFinish(candidate["finishReason"]) !== null;
      this.#candidates.set(index, isFinished || (this.#candidates.get(index) ?? false));
    }
    this.#origins.push(...signaturesOf(chunk));
    if (this.#origins.length > originsMax) this.#origins.splice(0, originsMax / 2);
  }
}

export function writeReplyUsage(reply: JsonObject, usage: Usage): JsonObject {
  return { ...reply, usageMetadata: writeContentUsage(usage) };
}

export function readContentReply(body: unknown): Observed | null {
  if (!isObject(body) || !isReply(body)) return null;
  const usage = readContentUsage(body["usageMetadata"]);
  const images = countImages(body);
  const observed: Observed = {
    usage,
    outputTokensEstimate: usage ? usage.outputTokens : estimateReply(body),
    origins: signaturesOf(body),
  };
  if (images > 0) observed.images = images;
  if (replyBrings(body)) return observed;
  observed.isEmpty = true;
  if (endsUnread(body)) observed.isUnreadable = true;
  return observed;
}

/** Those that are drawn for the client, and not on the way to them. */
function countImages(body: JsonObject): number {
  let images = 0;
  for (const candidate of candidatesOf(body)) {
    for (const part of candidateParts(candidate)) {
      const held = part["inlineData"] ?? part["inline_data"];
      if (!isObject(held) || part["thought"] === true) continue;
      const type = held["mimeType"] ?? held["mime_type"];
      if (typeof type === "string" && type.startsWith("image/")) images++;
    }
  }
  return images;
}

/** Whether it has any part of an answer, or says why not. */
function replyBrings(body: JsonObject): boolean {
  if (isBlocked(body)) return true;
  return candidatesOf(body).some(
    (candidate) =>
      explains(readStop(readFinish(candidate["finishReason"]), false)) ||
      candidateParts(candidate).some(partBrings),
  );
}

/** A call of the model's could not be read. */
function endsUnread(body: JsonObject): boolean {
  return candidatesOf(body).some(
    ({ finishReason }) => readStop(readFinish(finishReason), false) === "malformed",
  );
}

/** A text without words is nothing; anything else that a part holds is something. */
function partBrings({ text, thought: _thought, thoughtSignature, ...held }: JsonObject): boolean {
  return [text, thoughtSignature].some(Boolean) || Object.values(held).some(isObject);
}

/** Google leaves out what is empty, so any of its fields tells that it is a reply. */
export function isReply(body: JsonObject): boolean {
  if (body["error"] !== undefined && body["error"] !== null) return false;
  return (
    Array.isArray(body["candidates"]) ||
    isObject(body["promptFeedback"]) ||
    isObject(body["usageMetadata"])
  );
}

export function contentReplyTexts(body: JsonObject): string[] {
  return replyParts(body).flatMap(partTexts);
}

export function parseChunk(data: string): JsonObject | null {
  try {
    const chunk: unknown = JSON.parse(data);
    return isObject(chunk) ? chunk : null;
  } catch {
    return null;
  }
}

/** Words of an error inside a stream, or null for an event that is none. */
export function readChunkFault(chunk: JsonObject): string | null {
  const error = chunk["error"];
  if (error === undefined || error === null) return null;
  if (typeof error === "string") return error;
  if (isObject(error) && typeof error["message"] === "string") return error["message"];
  return "the upstream reported an error";
}

export function candidatesOf(chunk: JsonObject): JsonObject[] {
  const candidates = chunk["candidates"];
  return Array.isArray(candidates) ? candidates.filter(isObject) : [];
}

const choicesMax = 128;

/** Google leaves out an index of 0. */
export function candidateIndex(candidate: JsonObject, at: number): number {
  const index = candidate["index"];
  if (typeof index !== "number" || !Number.isInteger(index)) return at;
  return index >= 0 && index < choicesMax ? index : at;
}

export function candidateParts(candidate: JsonObject): JsonObject[] {
  const content = candidate["content"];
  if (!isObject(content) || !Array.isArray(content["parts"])) return [];
  return content["parts"].filter(isObject);
}

/** The prompt was refused, so there is no answer. */
export function isBlocked(chunk: JsonObject): boolean {
  const feedback = chunk["promptFeedback"];
  return isObject(feedback) && typeof feedback["blockReason"] === "string";
}

function replyParts(body: JsonObject): JsonObject[] {
  return candidatesOf(body).flatMap(candidateParts);
}

function signaturesOf(body: JsonObject): string[] {
  return replyParts(body).flatMap(({ thoughtSignature: signature }) =>
    typeof signature === "string" && signature !== "" ? [canonical(signature)] : [],
  );
}

function estimateReply(body: JsonObject): number {
  let tokens = 0;
  for (const text of contentReplyTexts(body)) tokens += estimateTokens(text);
  return tokens;
}

/** One event, and nothing in it but content. */
function isPlainEvent(bytes: Uint8Array): boolean {
  return (
    findBytes(bytes, eventStart) === 0 &&
    eventEnds.some((end) => findBytes(bytes, end) === bytes.length - end.length) &&
    readNames.every((name) => findBytes(bytes, name) === -1)
  );
}
