// A messages upstream's stream in neutral pieces.
import { isObject, type JsonObject } from "../../core/json.ts";
import type { BlockContent, StreamDecoder, StreamPart } from "../stream-part.ts";
import type { Usage } from "../usage.ts";
import { answerTool, restoreStop } from "../kit/claude/structured-output.ts";
import { readStopReason } from "./stop-reason.ts";
import { addMessagesUsage, hasOutput } from "./usage.ts";
import { readCitation } from "./wire/citation.ts";
import { parseObject, readNumber, readObject, readText } from "../kit/fields.ts";
import { isSearchCall, SearchReader } from "./wire/web-search.ts";

interface OpenBlock {
  /** Null for blocks that are left out. */
  block: number | null;
  isCall: boolean;
  /** The input that stood in the start already, for vendors that send it whole. */
  wholeInput: string;
  hasText: boolean;
  signature: string;
  /** The call of a search, which is told with its result. */
  search: JsonObject | null;
}

export class MessagesStreamDecoder implements StreamDecoder {
  readonly #open = new Map<number, OpenBlock>();
  readonly #searches = new SearchReader();
  #blocks = 0;
  #usage: Usage | null = null;
  #hasStarted = false;
  #id: string | null = null;
  #hasStopped = false;
  #isOver = false;
  #hasAnswer = false;
  #hasCalls = false;

  push({ event: name, data }: { event: string | null; data: string }): StreamPart[] {
    if (this.#isOver) return [];
    const event = parseObject(data);
    if (!event) {
      if (name === "ping" || data === "[DONE]") return [];
      return this.#fail("an event of the stream is not JSON");
    }
    const type = event["type"] ?? name;
    if (type === "error" || name === "error" || isObject(event["error"])) {
      const message = readText(readObject(event["error"])["message"]) ?? readText(event["error"]);
      return this.#fail(message ?? "the upstream reported an error");
    }
    return this.#hasStarted || type === "ping" ? this.#read(type, event) : this.#begin(type, event);
  }

  /** The end of the stream has an event of its own, so there is nothing to add. */
  close(): StreamPart[] {
    return [];
  }

  told(): Usage | null {
    return this.#usage && this.#usage.inputTokens > 0 ? this.#usage : null;
  }

  #fail(message: string): StreamPart[] {
    this.#isOver = true;
    return [{ kind: "fault", message }];
  }

  #begin(type: unknown, event: JsonObject): StreamPart[] {
    this.#hasStarted = true;
    const message = readObject(event["message"]);
    this.#id = readText(message["id"]);
    const start: StreamPart = { kind: "reply-start", id: this.#id };
    this.#usage = addMessagesUsage(null, message["usage"]);
    return type === "message_start" ? [start] : [start, ...this.#read(type, event)];
  }

  /** The same start once more, before anything of the message. */
  #isDoubled({ message }: JsonObject): boolean {
    const isAtStart = this.#blocks === 0 && this.#open.size === 0 && !this.#hasStopped;
    return isAtStart && this.#id !== null && readObject(message)["id"] === this.#id;
  }

  #read(type: unknown, event: JsonObject): StreamPart[] {
    switch (type) {
      case "content_block_delta":
        return this.#readDelta(indexOf(event), readObject(event["delta"]));
      case "content_block_start":
        return this.#start(indexOf(event), readObject(event["content_block"]));
      case "content_block_stop":
        return this.#stop(indexOf(event));
      case "message_delta":
        return [...this.#stopChoice(readObject(event["delta"])), ...this.#count(event["usage"])];
      case "message_stop":
        return this.#finish();
      case "message_start":
        return this.#isDoubled(event) ? [] : this.#fail(secondStart);
      default:
        return [];
    }
  }

  #start(index: number, content: JsonObject): StreamPart[] {
    const before = this.#stop(index);
    const { type, name } = content;
    const isAnswer = type === "tool_use" && name === answerTool;
    const isCall = type === "tool_use";
    if (isAnswer) this.#hasAnswer = true;
    else if (isCall) this.#hasCalls = true;
    const parts = this.#add(index, isAnswer ? { kind: "text" } : toContent(content), isCall);
    const open = this.#open.get(index);
    if (!open) return before;
    if (open.block === null) return [...before, ...this.#search(open, content)];
    const { input } = content;
    if (isObject(input) && Object.keys(input).length > 0) open.wholeInput = JSON.stringify(input);
    open.signature = readText(content["signature"]) ?? readText(content["data"]) ?? "";
    const text = readText(content["text"]) ?? readText(content["thinking"]) ?? "";
    return [...before, ...parts, ...piece(open, text)];
  }

  #add(index: number, content: BlockContent | null, isCall: boolean): StreamPart[] {
    const block = content ? this.#blocks++ : null;
    const open = { block, isCall, wholeInput: "", hasText: false, signature: "", search: null };
    this.#open.set(index, open);
    if (!content || block === null) return [];
    return [{ kind: "block-start", block, choice: 0, content }];
  }

  /** A search is one block of its own, which comes with its result. */
  #search(open: OpenBlock, content: JsonObject): StreamPart[] {
    if (isSearchCall(content)) {
      open.search = content;
      return [];
    }
    const part = this.#searches.read(content);
    if (!part) return [];
    const block = this.#blocks++;
    return [
      { kind: "block-start", block, choice: 0, content: { kind: "search", part } },
      { kind: "block-end", block },
    ];
  }

  #readDelta(index: number, delta: JsonObject): StreamPart[] {
    const open = this.#open.get(index);
    switch (delta["type"]) {
      case "text_delta":
        if (!open) return this.#openLate(index, { kind: "text" }, readText(delta["text"]) ?? "");
        return piece(open, readText(delta["text"]) ?? "");
      case "thinking_delta": {
        const text = readText(delta["thinking"]) ?? "";
        if (!open) return this.#openLate(index, { kind: "reasoning", isRedacted: false }, text);
        return piece(open, text);
      }
      case "input_json_delta":
        if (open?.search) open.wholeInput += readText(delta["partial_json"]) ?? "";
        return open ? piece(open, readText(delta["partial_json"]) ?? "") : [];
      case "signature_delta":
        if (open) open.signature = readText(delta["signature"]) ?? "";
        return [];
      case "citations_delta": {
        if (!open || open.block === null || !isObject(delta["citation"])) return [];
        const citation = readCitation(delta["citation"]);
        return [{ kind: "block-citation", block: open.block, citation }];
      }
      default:
        return [];
    }
  }

  /** Some upstreams do not announce their blocks. */
  #openLate(index: number, content: BlockContent, text: string): StreamPart[] {
    const parts = this.#add(index, content, false);
    const open = this.#open.get(index);
    return open ? [...parts, ...piece(open, text)] : parts;
  }

  #stop(index: number): StreamPart[] {
    const open = this.#open.get(index);
    this.#open.delete(index);
    if (open?.search) {
      const { search, wholeInput } = open;
      this.#searches.read({ ...search, input: parseObject(wholeInput) ?? search["input"] });
    }
    if (!open || open.block === null) return [];
    const { block, isCall, hasText, wholeInput, signature } = open;
    const parts: StreamPart[] = isCall && !hasText ? piece(open, wholeInput || "{}") : [];
    if (signature !== "") {
      const proof = { dialect: "messages", data: signature } as const;
      parts.push({ kind: "block-proof", block, proof });
    }
    parts.push({ kind: "block-end", block });
    return parts;
  }

  #stopChoice(delta: JsonObject): StreamPart[] {
    if (this.#hasStopped || typeof delta["stop_reason"] !== "string") return [];
    this.#hasStopped = true;
    const reason = readStopReason(delta["stop_reason"]);
    const stop = restoreStop(reason, this.#hasAnswer, this.#hasCalls);
    const stopSequence = readText(delta["stop_sequence"]);
    const parts = [...this.#open.keys()].flatMap((index) => this.#stop(index));
    parts.push({ kind: "choice-end", choice: 0, stop, stopSequence });
    return parts;
  }

  /** The start of a message counts its input, but of the output only that there will be some. */
  #count(report: unknown): StreamPart[] {
    this.#usage = addMessagesUsage(this.#usage, report);
    if (!this.#usage || !hasOutput(report)) return [];
    return [{ kind: "usage", usage: this.#usage }];
  }

  #finish(): StreamPart[] {
    const parts = this.#stopChoice({ stop_reason: "end_turn" });
    this.#isOver = true;
    return [...parts, { kind: "reply-end" }];
  }
}

/**
 * The fault of a second start: all that follows belongs to another answer, and would be put
 * together with this one.
 */
export const secondStart = "the upstream began a second message";

function indexOf(event: JsonObject): number {
  return readNumber(event["index"]) ?? 0;
}

function piece(open: OpenBlock, text: string): StreamPart[] {
  if (open.block === null || text === "") return [];
  open.hasText = true;
  return [{ kind: "block-delta", block: open.block, text }];
}

/** Null for what the vendor's own tools do, of which searches are told otherwise. */
function toContent(content: JsonObject): BlockContent | null {
  switch (content["type"]) {
    case "text":
      return { kind: "text" };
    case "thinking":
      return { kind: "reasoning", isRedacted: false };
    case "redacted_thinking":
      return content["data"] ? { kind: "reasoning", isRedacted: true } : null;
    case "tool_use": {
      const id = readText(content["id"]) ?? "";
      return { kind: "call", id, name: readText(content["name"]) ?? "", isCustom: false };
    }
    default:
      return null;
  }
}
