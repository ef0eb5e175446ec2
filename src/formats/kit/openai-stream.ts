// Watches a chat or legacy completions stream: usage, generated text, the end marker, errors.
import type { GatewayError } from "../../core/errors.ts";
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import { encodeEvent, findBytes, SseBlock, type SseEvent } from "../../core/sse.ts";
import type { Observed, Sighting, StreamObserver, TextRequest } from "../format.ts";
import { encodeOpenaiUsage, readOpenaiUsage, usageIn } from "./openai-usage.ts";
import { estimateTokens, laterUsage, type Usage } from "../usage.ts";

const pass: Sighting = { kind: "pass" };
const hide: Sighting = { kind: "hide" };
const wait: Sighting = { kind: "wait" };
const end: Sighting = { kind: "end" };

interface ChoiceReader {
  /** Roughly how many tokens one choice of a chunk carries. */
  estimate(choice: JsonObject): number;
  /** Whether it has any part of an answer, or an end that says why there is none. */
  brings(choice: JsonObject): boolean;
  /** Whether it has thoughts; absent where the format has no place for them. */
  thinks?(choice: JsonObject): boolean;
}

const encoder = new TextEncoder();
const eventStart = encoder.encode("data: {");
const eventEnd = encoder.encode("}\n\n");
const usageName = encoder.encode('"usage"');
const errorName = encoder.encode('"error"');
const finishName = encoder.encode('"finish_reason"');
const ending = encodeEvent("[DONE]");
const lineFeed = 10;
const bytesPerToken = 4;
/** The field's name in front of the data and the blank line behind it. */
const lineBytes = 8;

export class OpenaiStreamObserver implements StreamObserver {
  readonly #hidesUsage: boolean;
  readonly #reader: ChoiceReader;
  readonly #choices: number;
  readonly #finished = new Set<Json>();
  /** Asked for with every piece, so it is one object that is kept up to date. */
  readonly #observed: Observed;
  /** Length of an event without its text, learned from the events that are read. */
  #frameBytes = 0;
  /** The last bytes that passed unread: an end may stand there. */
  #skimmed: Uint8Array | null = null;
  #brings = false;
  #isBegun = false;
  /** Fields that every chunk of the stream repeats. */
  #chunkHead: JsonObject | null = null;
  readonly ending = ending;

  constructor(request: TextRequest, reader: ChoiceReader, origins: readonly string[] = []) {
    this.#observed = { usage: null, outputTokensEstimate: 0, origins };
    this.#hidesUsage = !request.wantsUsage;
    this.#choices = request.choices;
    this.#reader = reader;
  }

  /**
   * Every quote inside a text is escaped, so a bare `"usage"` or `"error"` is a name. The frame
   * around the text is the same in all events of a stream, so the length tells how much text it is.
   */
  skim(bytes: Uint8Array): boolean {
    const events = this.#frameBytes === 0 ? 0 : countPlainEvents(bytes);
    if (events === 0) return false;
    // Each end counts where there are several answers, only the last where there is one.
    if (this.#choices > 1 && hasValue(bytes, finishName)) return false;
    this.#skimmed = bytes;
    const textBytes = Math.max(0, bytes.length - events * this.#frameBytes);
    this.#observed.outputTokensEstimate += textBytes / bytesPerToken;
    return true;
  }

  see(event: SseEvent): Sighting {
    if (event.data === "[DONE]") return end;
    const chunk = parseChunk(event.data);
    if (!chunk) return { kind: "fault", message: "an event of the stream is not JSON" };
    const error = faultIn(chunk);
    if (error !== null) return { kind: "fault", message: errorMessage(error) };
    const choices = Array.isArray(chunk["choices"]) ? chunk["choices"] : [];
    let tokens = 0;
    for (const choice of choices) if (isObject(choice)) tokens += this.#seeChoice(choice);
    this.#observed.outputTokensEstimate += tokens;
    if (tokens > 0) {
      this.#frameBytes = event.data.length + lineBytes - tokens * bytesPerToken;
    }
    const isBegun = this.#isBegun;
    this.#isBegun = true;
    this.#chunkHead ??= headOf(chunk);
    const usage = usageIn(chunk);
    if (usage) return this.#seeUsage(chunk, usage, choices.length);
    // A filter's findings in the prompt are no beginning of an answer: another may still give it.
    return isBegun || choices.length > 0 ? pass : wait;
  }

  /** Some vendors close after the last finish reason and leave the marker out. */
  isWhole(): boolean {
    const unread = this.#skimmed;
    this.#skimmed = null;
    if (unread) for (const event of new SseBlock(unread).events) this.#seeEnds(event);
    return this.#finished.size >= this.#choices;
  }

  isEmpty(): boolean {
    return !this.#brings && this.#observed.outputTokensEstimate === 0;
  }

  observed(): Observed {
    return this.#observed;
  }

  lacksUsage(): boolean {
    return !this.#hidesUsage && !this.#observed.usage?.outputTokens;
  }

  endWithUsage(endEvents: readonly SseEvent[], usage: Usage): SseEvent[] {
    const chunk = { ...this.#chunkHead, choices: [], usage: encodeOpenaiUsage(usage) };
    const others = endEvents.filter(({ data }) => !usageIn(parseChunk(data) ?? {}));
    return [{ event: null, data: JSON.stringify(chunk) }, ...others];
  }

  #seeChoice(choice: JsonObject): number {
    const { finish_reason: finish, index = 0 } = choice;
    // An empty reason is what some vendors send for none.
    if (finish) this.#finished.add(index);
    if (!this.#brings) this.#brings = this.#reader.brings(choice);
    if (!this.#observed.hasThought && this.#reader.thinks?.(choice)) {
      this.#observed.hasThought = true;
    }
    return this.#reader.estimate(choice);
  }

  #seeEnds({ data }: SseEvent): void {
    const choices = parseChunk(data)?.["choices"];
    if (!Array.isArray(choices)) return;
    for (const choice of choices) {
      if (isObject(choice) && choice["finish_reason"]) this.#finished.add(choice["index"] ?? 0);
    }
  }

  #seeUsage(chunk: JsonObject, report: JsonObject, choiceCount: number): Sighting {
    const { usage } = this.#observed;
    this.#observed.usage = laterUsage(usage, readOpenaiUsage(report));
    // A vendor's own name for it was never asked for.
    if (report !== chunk["usage"]) return pass;
    if (!this.#hidesUsage) {
      // A report of nothing waits for the count of what was delivered.
      return choiceCount === 0 && this.lacksUsage() ? wait : pass;
    }
    if (choiceCount === 0) return hide;
    const { usage: _usage, ...shown } = chunk;
    return { kind: "replace", data: JSON.stringify(shown) };
  }
}

function headOf({ id, object, created, model }: JsonObject): JsonObject {
  const known = Object.entries({ id, object, created, model });
  return Object.fromEntries(known.filter(([, value]) => value !== undefined));
}

/** The count of events with nothing in them but content; 0 where there is anything else. */
function countPlainEvents(bytes: Uint8Array): number {
  let events = 0;
  for (let from = 0; from < bytes.length; events++) {
    // JSON has no line break of its own.
    const end = bytes.indexOf(lineFeed, from);
    if (!hasAt(bytes, from, eventStart) || !hasAt(bytes, end - 1, eventEnd)) return 0;
    from = end - 1 + eventEnd.length;
  }
  return findBytes(bytes, errorName) === -1 && !hasValue(bytes, usageName) ? events : 0;
}

/** A few bytes are compared sooner than a search is begun. */
function hasAt(bytes: Uint8Array, from: number, wanted: Uint8Array): boolean {
  for (let at = 0; at < wanted.length; at++) if (bytes[from + at] !== wanted[at]) return false;
  return true;
}

/** Null is what a vendor puts on every chunk but the last; one may hide another. */
function hasValue(bytes: Uint8Array, name: Uint8Array): boolean {
  let at = findBytes(bytes, name);
  while (at !== -1) {
    let value = at + name.length;
    while (bytes[value] === 32 || bytes[value] === 58) value++;
    if (bytes[value] !== 110) return true;
    at = findBytes(bytes, name, value);
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

/** The error of a chunk: its own, or that of a choice, as OpenRouter has it; null without one. */
export function faultIn({ error, choices }: JsonObject): Json {
  if (error !== undefined && error !== null) return error;
  if (!Array.isArray(choices)) return null;
  for (const choice of choices) {
    if (isObject(choice) && isObject(choice["error"])) return choice["error"];
  }
  return null;
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
