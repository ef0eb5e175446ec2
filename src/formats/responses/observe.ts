// Looks at replies that pass through: usage, what was generated, what must come back to its maker,
// the end, and errors.
import type { GatewayError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { encodeEvent, findBytes, type SseEvent } from "../../core/sse.ts";
import type { Observed, Sighting, StreamObserver } from "../format.ts";
import { explains } from "../kit/emptiness.ts";
import { idsIn } from "../kit/vendor-objects.ts";
import { readOpenaiUsage } from "../kit/openai-usage.ts";
import { estimateTokens, laterUsage, type Usage } from "../usage.ts";
import { isResponse } from "./decode-reply.ts";
import { faultOf, parseEvent } from "./decode-stream.ts";
import { readStop } from "./stop-reason.ts";
import { withBothNames, writeResponseUsage } from "./usage.ts";

export function readResponsesReply(body: unknown): Observed | null {
  if (!isResponse(body)) return null;
  const usage = readOpenaiUsage(body["usage"]);
  const observed: Observed = {
    usage,
    outputTokensEstimate: usage?.outputTokens ?? estimate(responsesReplyTexts(body)),
    origins: originsIn(body),
  };
  if (!responseBrings(body)) observed.isEmpty = true;
  return observed;
}

/** An end before its time says why there is nothing. */
function responseBrings(response: JsonObject): boolean {
  return (
    explains(readStop(response, { hasOutput: false, hasCalls: false })) ||
    listOf(response["output"]).some(itemBrings)
  );
}

/** A message or a reasoning without words is nothing; what the vendor's tools did is something. */
function itemBrings(item: Json | undefined): boolean {
  if (!isObject(item)) return false;
  const { type, content, summary } = item;
  if (type !== "message" && type !== "reasoning") return true;
  const parts = [...listOf(content), ...listOf(summary)].filter(isObject);
  return encryptedIn(item) !== null || parts.some(({ text }) => text !== "");
}

const itemsMax = 256;

/** Ids of what the vendor keeps, by which later requests refer to it. */
function originsIn({ id, output, store }: JsonObject): string[] {
  const items = listOf(output).filter(isObject).slice(0, itemsMax);
  const ids = store === false ? [] : items.map((item) => item["id"]);
  return [id, ...items.map(encryptedIn), ...ids, ...items.flatMap(objectsIn)].filter(isText);
}

/** Containers, files that were made in them, and those in which something was found. */
function objectsIn(item: JsonObject): string[] {
  const notes = listOf(item["content"]).flatMap((part) =>
    isObject(part) ? listOf(part["annotations"]) : [],
  );
  return [
    ...idsIn(item, ["container_id"]),
    ...idsIn(item["environment"], ["container_id"]),
    ...listOf(item["results"])
      .slice(0, itemsMax)
      .flatMap((one) => idsIn(one, ["file_id"])),
    ...notes.slice(0, itemsMax).flatMap((note) => idsIn(note, ["container_id", "file_id"])),
  ];
}

/** Generated texts, of a whole response or of one event of a stream. */
export function responsesReplyTexts(body: JsonObject): string[] {
  const { type, delta, item, output } = body;
  if (Array.isArray(output)) return output.flatMap(itemTexts);
  if (typeof type !== "string") return [];
  if (type.endsWith(".delta")) return isText(delta) ? [delta] : [];
  // The name of a call comes with its start and nowhere else.
  if (type !== "response.output_item.added" || !isObject(item)) return [];
  return [item["name"]].filter(isText);
}

export function encodeResponsesError(error: GatewayError): Uint8Array {
  const { message, type, param } = error;
  const code = error.shownCode ?? type;
  const flat = { type: "error", sequence_number: 0, code, message, param };
  // Clients read it flat or wrapped, by their age.
  return encodeEvent(JSON.stringify({ ...flat, error: { type, code, message, param } }), "error");
}

const pass: Sighting = { kind: "pass" };
const end: Sighting = { kind: "end" };

const deltaTypes = [
  "response.output_text.delta",
  "response.reasoning_summary_text.delta",
  "response.reasoning_text.delta",
  "response.function_call_arguments.delta",
  "response.custom_tool_call_input.delta",
];
const encoder = new TextEncoder();
const heads = deltaTypes.map((type) => encoder.encode(`event: ${type}\ndata: {"type":"${type}",`));
const deltaName = encoder.encode('"delta":"');
const newline = 10;
const quote = 34;
const backslash = 92;
const carriageReturn = 13;
const closingBrace = 125;
/** Bytes of UTF-8, so that an ideograph counts for three letters. */
const bytesPerToken = 4;

export class ResponsesObserver implements StreamObserver {
  readonly #origins = new Set<string>();
  #usage: Usage | null = null;
  #outputTokens = 0;
  #brings = false;
  #isUnstored = false;
  /** The items of one that its vendor does not keep, for those whose end leaves them out. */
  readonly #items: JsonObject[] = [];
  #unstored: JsonObject | null = null;
  /** The beginning of the last plain event: most begin like the one before. */
  #head: Uint8Array | null = null;

  /** Every quote inside a text is escaped, so what stands between bare ones is the delta. */
  skim(bytes: Uint8Array): boolean {
    const head = this.#headOf(bytes);
    if (!head || !isOneLine(bytes, head.length)) return false;
    const name = findBytes(bytes, deltaName, head.length - 1);
    if (name === -1) return false;
    const from = name + deltaName.length;
    this.#outputTokens += countCharacters(bytes, from) / bytesPerToken;
    return true;
  }

  see({ event: name, data }: SseEvent): Sighting {
    if (data === "[DONE]") return pass;
    const event = parseEvent(data);
    if (!event) return { kind: "fault", message: "an event of the stream is not JSON" };
    const type = event["type"] ?? name;
    const { response } = event;
    if (isObject(response)) this.#note(response);
    const isError = isObject(event["error"]) && typeof type !== "string";
    if (type === "response.failed" || type === "error" || isError) {
      return { kind: "fault", message: faultOf(event) };
    }
    if (type === "response.completed" || type === "response.incomplete") {
      if (!isObject(response)) return end;
      const shown = withBothNames(response);
      this.#brings ||= responseBrings({ ...response, status: type.slice("response.".length) });
      if (this.#isUnstored) this.#unstored = withItems(shown, this.#items);
      return { kind: "end", data: JSON.stringify({ ...event, response: shown }) };
    }
    if (type === "response.output_item.done") this.#seeItem(event["item"]);
    const encrypted = type === "response.output_item.done" ? encryptedIn(event["item"]) : null;
    if (encrypted !== null) this.#origins.add(encrypted);
    else this.#outputTokens += estimate(responsesReplyTexts(event));
    return pass;
  }

  lacksUsage(): boolean {
    return !this.#usage?.outputTokens;
  }

  endWithUsage(endEvents: readonly SseEvent[], usage: Usage): SseEvent[] {
    return endEvents.map((event) => {
      const ending = parseEvent(event.data);
      if (!ending || !isObject(ending["response"])) return event;
      const response = writeResponseUsage(ending["response"], usage);
      return { event: event.event, data: JSON.stringify({ ...ending, response }) };
    });
  }

  isWhole(): boolean {
    return false;
  }

  isEmpty(): boolean {
    return !this.#brings && this.#outputTokens === 0;
  }

  unstored(): JsonObject | null {
    return this.#unstored;
  }

  #seeItem(item: Json | undefined): void {
    this.#brings ||= itemBrings(item);
    if (this.#isUnstored && isObject(item)) this.#items.push(item);
  }

  observed(): Observed {
    const { size } = this.#origins;
    return {
      usage: this.#usage,
      outputTokensEstimate: this.#outputTokens,
      origins: size === 0 ? [] : [...this.#origins],
    };
  }

  #note(response: JsonObject): void {
    this.#isUnstored = response["store"] === false;
    for (const origin of originsIn(response)) this.#origins.add(origin);
    this.#usage = laterUsage(this.#usage, readOpenaiUsage(response["usage"]));
    // Some vendors send no deltas: then the end tells what there was.
    if (this.#outputTokens === 0) this.#outputTokens = estimate(responsesReplyTexts(response));
  }

  #headOf(bytes: Uint8Array): Uint8Array | null {
    if (this.#head && beginsWith(bytes, this.#head)) return this.#head;
    this.#head = heads.find((head) => beginsWith(bytes, head)) ?? null;
    return this.#head;
  }
}

function withItems(response: JsonObject, items: readonly JsonObject[]): JsonObject {
  return listOf(response["output"]).length > 0 ? response : { ...response, output: [...items] };
}

function beginsWith(bytes: Uint8Array, head: Uint8Array): boolean {
  for (let at = 0; at < head.length; at++) if (bytes[at] !== head[at]) return false;
  return true;
}

/** Whether the event ends with its line, and nothing follows it. */
function isOneLine(bytes: Uint8Array, from: number): boolean {
  const end = bytes.length - 2;
  return (
    bytes.indexOf(newline, from) === end &&
    bytes[end + 1] === newline &&
    bytes[end - 1] === closingBrace &&
    bytes.indexOf(carriageReturn, from) === -1
  );
}

/** The count of characters in the text that starts at `from` and ends at a bare quote. */
function countCharacters(bytes: Uint8Array, from: number): number {
  let count = 0;
  for (let at = from; at < bytes.length && bytes[at] !== quote; at++) {
    if (bytes[at] === backslash) at++;
    count++;
  }
  return count;
}

function encryptedIn(item: Json | undefined): string | null {
  const encrypted = isObject(item) ? item["encrypted_content"] : null;
  return isText(encrypted) ? encrypted : null;
}

function itemTexts(item: Json): string[] {
  if (!isObject(item)) return [];
  const { name, input, content, summary } = item;
  const parts = [...listOf(content), ...listOf(summary)].filter(isObject);
  return [
    ...[name, item["arguments"], input].filter(isText),
    ...parts.flatMap((part) => [part["text"], part["refusal"]].filter(isText)),
  ];
}

function estimate(texts: readonly string[]): number {
  return texts.reduce((total, text) => total + estimateTokens(text), 0);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
