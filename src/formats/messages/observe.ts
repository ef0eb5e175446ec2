// Watches a messages stream that passes through: usage, generated text, signatures, end, errors.
import type { GatewayError } from "../../core/errors.ts";
import { isObject, type JsonObject } from "../../core/json.ts";
import { encodeEvent, findBytes, type SseEvent } from "../../core/sse.ts";
import type { Observed, Sighting, StreamObserver } from "../format.ts";
import { idsIn } from "../kit/vendor-objects.ts";
import { explains } from "../kit/emptiness.ts";
import { estimateTokens, type Usage } from "../usage.ts";
import { secondStart } from "./decode-stream.ts";
import { readContainer } from "./read.ts";
import { readStopReason } from "./stop-reason.ts";
import { replyTexts } from "./texts.ts";
import { addMessagesUsage, hasOutput, readMessagesUsage, writeUsage } from "./usage.ts";
import { parseObject, readObject, readObjects, readText } from "../kit/fields.ts";

const pass: Sighting = { kind: "pass" };
const hide: Sighting = { kind: "hide" };
const wait: Sighting = { kind: "wait" };
const end: Sighting = { kind: "end" };

const encoder = new TextEncoder();
const deltaStart = encoder.encode("event: content_block_delta\ndata: {");
const deltaName = encoder.encode('"content_block_delta"');
const errorName = encoder.encode('"error"');
const kinds = ["text_delta", "thinking_delta", "input_json_delta"].map((type) => ({
  type,
  mark: encoder.encode(`"${type}"`),
}));
const bytesPerToken = 4;
const newline = 10;
const carriageReturn = 13;
/** The names of both fields in front of the data and the blank line behind it. */
const lineBytes = deltaStart.length - 1 + 2;

export class MessagesObserver implements StreamObserver {
  #hasStarted = false;
  #isAtStart = false;
  #id: string | null = null;
  #brings = false;
  #usage: Usage | null = null;
  #isFinal = false;
  #outputTokens = 0;
  readonly #origins: string[] = [];
  /** Length of an event of each kind without its text, learned from the events that are read. */
  readonly #frameBytes = new Map<string, number>();

  /** Every quote inside a text is escaped, so a bare `"text_delta"` is a value. */
  skim(bytes: Uint8Array): boolean {
    if (!isOneDelta(bytes)) return false;
    const kind = kinds.find(({ mark }) => findBytes(bytes, mark) !== -1);
    const frameBytes = kind && this.#frameBytes.get(kind.type);
    if (frameBytes === undefined) return false;
    this.#outputTokens += Math.max(0, bytes.length - frameBytes) / bytesPerToken;
    return true;
  }

  see({ event: name, data }: SseEvent): Sighting {
    const event = parseObject(data);
    if (!event) {
      if (name === "ping") return pass;
      return { kind: "fault", message: "an event of the stream is not JSON" };
    }
    const type = event["type"] ?? name;
    if (type === "error" || name === "error" || isObject(event["error"])) {
      return { kind: "fault", message: errorMessage(event["error"]) };
    }
    if (type === "message_stop") return end;
    if (type === "message_start") {
      const id = readText(readObject(event["message"])["id"]);
      // The same start once more, before anything of the message: its client takes one.
      if (this.#isAtStart && id !== null && id === this.#id) return hide;
      if (this.#hasStarted) return { kind: "fault", message: secondStart };
      this.#hasStarted = true;
      this.#isAtStart = true;
      this.#id = id;
    } else if (type !== "ping") {
      this.#isAtStart = false;
    }
    this.#note(event, data);
    if (type === "message_start") return passStart(event);
    // A client reads its usage here; where there is none, it is told once it is known.
    return type === "message_delta" && this.lacksUsage() ? wait : pass;
  }

  lacksUsage(): boolean {
    return !this.#isFinal || !this.#usage?.outputTokens;
  }

  endWithUsage(endEvents: readonly SseEvent[], usage: Usage): SseEvent[] {
    const at = endEvents.findLastIndex(isMessageDelta);
    return endEvents.map((event, index) => {
      const delta = index === at ? parseObject(event.data) : null;
      if (!delta) return event;
      return { event: event.event, data: JSON.stringify(writeMessagesUsage(delta, usage)) };
    });
  }

  isWhole(): boolean {
    return false;
  }

  isEmpty(): boolean {
    return !this.#brings && this.#outputTokens === 0;
  }

  /** A stream that was cut has told its input, and of its output at most that it began. */
  observed(): Observed {
    const outputTokensEstimate = this.#outputTokens;
    const origins = this.#origins;
    if (this.#isFinal) return { usage: this.#usage, outputTokensEstimate, origins };
    return { usage: this.#usageSoFar(), isOutputUntold: true, outputTokensEstimate, origins };
  }

  #usageSoFar(): Usage | null {
    // Some vendors tell the input at the end, and at the start that it is nothing.
    if (!this.#usage || this.#usage.inputTokens === 0) return null;
    const { outputTokens } = this.#usage;
    return { ...this.#usage, outputTokens: Math.max(outputTokens, Math.ceil(this.#outputTokens)) };
  }

  #note(event: JsonObject, data: string): void {
    switch (event["type"]) {
      case "content_block_delta":
        this.#noteDelta(event, data);
        break;
      case "message_start": {
        const message = readObject(event["message"]);
        this.#usage = addMessagesUsage(this.#usage, message["usage"]);
        this.#remember(readContainer(message["container"]));
        break;
      }
      case "content_block_start":
        this.#outputTokens += estimateEvent(event);
        this.#brings ||= blockBrings(readObject(event["content_block"]));
        this.#remember(readText(readObject(event["content_block"])["data"]));
        this.#origins.push(...filesIn(readObject(event["content_block"])));
        break;
      case "message_delta":
        this.#usage = addMessagesUsage(this.#usage, event["usage"]);
        this.#isFinal ||= hasOutput(event["usage"]);
        this.#brings ||= explains(readStopReason(readObject(event["delta"])["stop_reason"]));
        this.#remember(readContainer(readObject(event["delta"])["container"]));
    }
  }

  #noteDelta(event: JsonObject, data: string): void {
    const delta = readObject(event["delta"]);
    this.#remember(readText(delta["signature"]));
    if (!this.#brings) this.#brings = readText(delta["signature"]) !== null;
    const [text] = replyTexts(event);
    const type = readText(delta["type"]);
    if (text === undefined || type === null) return;
    this.#outputTokens += estimateTokens(text);
    const textBytes = Buffer.byteLength(JSON.stringify(text)) - 2;
    this.#frameBytes.set(type, Buffer.byteLength(data) + lineBytes - textBytes);
  }

  #remember(origin: string | null): void {
    if (origin) this.#origins.push(origin);
  }
}

/** Clients add up what a message used, so its start must have something to add to. */
function passStart(event: JsonObject): Sighting {
  const message = readObject(event["message"]);
  if (isObject(message["usage"])) return pass;
  const data = JSON.stringify({ ...event, message: { ...message, usage: writeUsage(null) } });
  return { kind: "replace", data };
}

function isMessageDelta({ event: name, data }: SseEvent): boolean {
  return (parseObject(data)?.["type"] ?? name) === "message_delta";
}

export function writeMessagesUsage(reply: JsonObject, usage: Usage): JsonObject {
  return { ...reply, usage: { ...readObject(reply["usage"]), ...writeUsage(usage) } };
}

/** One event of a block's content and nothing else: no second line of data, no second event. */
function isOneDelta(bytes: Uint8Array): boolean {
  return (
    findBytes(bytes, deltaStart) === 0 &&
    bytes.indexOf(newline, deltaStart.length) === bytes.length - 2 &&
    bytes[bytes.length - 1] === newline &&
    bytes.indexOf(carriageReturn) === -1 &&
    findBytes(bytes, deltaName) !== -1 &&
    findBytes(bytes, errorName) === -1
  );
}

export function readMessagesReply(body: unknown): Observed | null {
  if (!isObject(body) || !Array.isArray(body["content"])) return null;
  const usage = readMessagesUsage(body["usage"]);
  const origins = readObjects(body["content"]).flatMap((block) => {
    const origin = readText(block[block["type"] === "redacted_thinking" ? "data" : "signature"]);
    return origin ? [origin, ...filesIn(block)] : filesIn(block);
  });
  const container = readContainer(body["container"]);
  if (container) origins.push(container);
  const outputTokensEstimate = usage?.outputTokens ?? estimateEvent(body);
  const observed: Observed = { usage, outputTokensEstimate, origins };
  if (isEmptyMessage(body)) observed.isEmpty = true;
  return observed;
}

function isEmptyMessage({ content, stop_reason: reason }: JsonObject): boolean {
  return !explains(readStopReason(reason)) && !readObjects(content).some(blockBrings);
}

/** A text or a thought without words is nothing; what the vendor's own tools did is something. */
function blockBrings({ type, text, thinking, signature }: JsonObject): boolean {
  if (type !== "text" && type !== "thinking") return true;
  return [text, thinking, signature].some((part) => (readText(part) ?? "") !== "");
}

/** Files the vendor's tools have made, which later requests may name. */
function filesIn({ content }: JsonObject): string[] {
  const files = isObject(content) ? readObjects(content["content"]) : [];
  return files.flatMap((file) => idsIn(file, ["file_id"]));
}

function estimateEvent(event: JsonObject): number {
  return replyTexts(event).reduce((sum, text) => sum + estimateTokens(text), 0);
}

function errorMessage(error: unknown): string {
  return readText(error) ?? readText(readObject(error)["message"]) ?? unexplained;
}

const unexplained = "the upstream reported an error";

export function encodeMessagesError(error: GatewayError, requestId: string): Uint8Array {
  const { type, message, param, shownCode: code } = error;
  const body = { type: "error", error: { type, message, param, code }, request_id: requestId };
  return encodeEvent(JSON.stringify(body), "error");
}
