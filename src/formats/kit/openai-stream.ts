// Watches a chat or legacy completions stream: usage, generated text, the end marker, errors.
import type { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { encodeEvent, findBytes, type SseEvent } from "../../core/sse.ts";
import type { Observed, Sighting, StreamObserver, TextRequest } from "../format.ts";
import { readOpenaiUsage } from "./openai-usage.ts";
import { estimateTokens, laterUsage } from "../usage.ts";

const pass: Sighting = { kind: "pass" };
const hide: Sighting = { kind: "hide" };
const end: Sighting = { kind: "end" };

/** Roughly how many tokens one choice of a chunk carries. */
type EstimateChoice = (choice: JsonObject) => number;

const encoder = new TextEncoder();
const eventStart = encoder.encode("data: {");
const eventEnd = encoder.encode("}\n\n");
const usageName = encoder.encode('"usage"');
const errorName = encoder.encode('"error"');
const lineFeed = 10;
const bytesPerToken = 4;
/** The field's name in front of the data and the blank line behind it. */
const lineBytes = 8;

export class OpenaiStreamObserver implements StreamObserver {
  readonly #hidesUsage: boolean;
  readonly #estimateChoice: EstimateChoice;
  /** Asked for with every piece, so it is one object that is kept up to date. */
  readonly #observed: Observed;
  /** What an event is long without its text, learned from the events that are read. */
  #frameBytes = 0;

  constructor(
    request: TextRequest,
    estimateChoice: EstimateChoice,
    origins: readonly string[] = [],
  ) {
    this.#observed = { usage: null, outputTokensEstimate: 0, origins };
    this.#hidesUsage = !request.wantsUsage;
    this.#estimateChoice = estimateChoice;
  }

  /**
   * Every quote inside a text is escaped, so a bare `"usage"` or `"error"` is a name. The frame
   * around the text is the same in all events of a stream, so the length tells how much text it is.
   */
  skim(bytes: Uint8Array): boolean {
    const events = this.#frameBytes === 0 ? 0 : countPlainEvents(bytes);
    if (events === 0) return false;
    const textBytes = Math.max(0, bytes.length - events * this.#frameBytes);
    this.#observed.outputTokensEstimate += textBytes / bytesPerToken;
    return true;
  }

  see(event: SseEvent): Sighting {
    if (event.data === "[DONE]") return end;
    const chunk = parseChunk(event.data);
    if (!chunk) return { kind: "fault", message: "an event of the stream is not JSON" };
    if (chunk["error"] !== undefined && chunk["error"] !== null) {
      return { kind: "fault", message: errorMessage(chunk["error"]) };
    }
    const choices = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
    let tokens = 0;
    for (const choice of choices) if (isObject(choice)) tokens += this.#estimateChoice(choice);
    this.#observed.outputTokensEstimate += tokens;
    if (tokens > 0) {
      this.#frameBytes = event.data.length + lineBytes - tokens * bytesPerToken;
    }
    return isObject(chunk["usage"]) ? this.#seeUsage(chunk, choices.length) : pass;
  }

  isWhole(): boolean {
    return false;
  }

  observed(): Observed {
    return this.#observed;
  }

  #seeUsage(chunk: JsonObject, choiceCount: number): Sighting {
    const { usage } = this.#observed;
    this.#observed.usage = laterUsage(usage, readOpenaiUsage(chunk["usage"]));
    if (!this.#hidesUsage) return pass;
    if (choiceCount === 0) return hide;
    const { usage: _usage, ...shown } = chunk;
    return { kind: "replace", data: JSON.stringify(shown) };
  }
}

/** How many there are, with nothing in them but content; 0 where there is anything else. */
function countPlainEvents(bytes: Uint8Array): number {
  let events = 0;
  for (let from = 0; from < bytes.length; events++) {
    // JSON has no line break of its own.
    const end = bytes.indexOf(lineFeed, from);
    if (!hasAt(bytes, from, eventStart) || !hasAt(bytes, end - 1, eventEnd)) return 0;
    from = end - 1 + eventEnd.length;
  }
  return findBytes(bytes, errorName) === -1 && !namesUsage(bytes) ? events : 0;
}

/** A few bytes are compared sooner than a search is begun. */
function hasAt(bytes: Uint8Array, from: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}

/** A usage of null is what a vendor puts on every chunk but the last; one may hide another. */
function namesUsage(bytes: Uint8Array): boolean {
  let at = findBytes(bytes, usageName);
  while (at !== -1) {
    let value = at + usageName.length;
    while (bytes[value] === 32 || bytes[value] === 58) value++;
    if (bytes[value] !== 110) return true;
    at = findBytes(bytes, usageName, value);
  }
  return false;
}

export function parseChunk(data: string): JsonObject | null {
  try {
    const chunk: unknown = JSON.parse(data);
    return isObject(chunk) ? chunk : null;
  } catch {
    return null;
  }
}

export function errorMessage(error: unknown): string {
  if (typeof error === "string") return error;
  if (isObject(error) && typeof error["message"] === "string") return error["message"];
  return "the upstream reported an error";
}

export function encodeOpenaiError(error: GatewayError): Uint8Array {
  const { message, type, param, shownCode: code } = error;
  return encodeEvent(JSON.stringify({ error: { message, type, param, code } }));
}

export function estimateText(value: unknown): number {
  return typeof value === "string" ? estimateTokens(value) : 0;
}
