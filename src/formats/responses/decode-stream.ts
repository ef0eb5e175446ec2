// Reads an upstream's stream. Deltas are taken as they come; what only a later event tells (vendors
// leave some out) is caught up on when an item is done, or at the very end.
import { isObject, type Json, type JsonObject } from "../../core/json.ts";
import type { BlockContent, StreamDecoder, StreamPart } from "../stream-part.ts";
import { reasoningBreak, reasoningText } from "./decode-items.ts";
import { decodeGenerated } from "./decode-parts.ts";
import { readCitation } from "./output-items.ts";
import { readStop } from "./stop-reason.ts";
import { readSearchItem } from "./web-search.ts";
import { readOpenaiUsage } from "../kit/openai-usage.ts";

interface Open {
  block: number;
  /** Length of the present part so far. */
  seen: number;
  /** Type of the events that its reasoning is told by. */
  reasoningEvent?: Json | undefined;
  /** Index of the part of a reasoning's summary that is coming. */
  part: number;
  citations: number;
  isEnded: boolean;
}

/** More than an item has parts. */
const partsMax = 4096;

export class ResponsesStreamDecoder implements StreamDecoder {
  #parts: StreamPart[] = [];
  readonly #open = new Map<number, Open>();
  #hasBegun = false;
  #hasOutput = false;
  #hasCalls = false;
  #isOver = false;

  push({ event, data }: { event: string | null; data: string }): StreamPart[] {
    if (this.#isOver || data === "[DONE]") return [];
    this.#parts = [];
    const json = parseEvent(data);
    if (json) this.#read(json, json["type"] ?? event);
    else this.#fault("an event of the stream is not JSON");
    return this.#parts;
  }

  close(): StreamPart[] {
    return [];
  }

  #read(event: JsonObject, type: Json): void {
    switch (type) {
      case "response.output_text.delta":
        return this.#delta(this.#opened(event, { kind: "text" }), event["delta"]);
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return this.#delta(this.#open.get(keyOf(event)), event["delta"]);
      case "response.refusal.delta":
        return this.#delta(this.#opened(event, { kind: "refusal" }), event["delta"]);
      case "response.reasoning_summary_text.delta":
        return this.#reason(event, event["summary_index"]);
      case "response.reasoning_text.delta":
        return this.#reason(event, event["content_index"]);
      case "response.content_part.added":
        return this.#addPart(event);
      case "response.output_item.added":
        return this.#addItem(event["item"], keyOf(event));
      case "response.output_text.annotation.added":
        return this.#cite(this.#opened(event, { kind: "text" }), event["annotation"]);
      case "response.output_item.done":
        return this.#endItem(event["item"], keyOf(event));
      case "response.completed":
      case "response.incomplete":
        return this.#end(isObject(event["response"]) ? event["response"] : {});
      case "response.failed":
      case "error":
        return this.#fault(faultOf(event));
    }
    if (isObject(event["response"])) this.#begin(event["response"]["id"]);
    else if (typeof type !== "string" && isObject(event["error"])) this.#fault(faultOf(event));
  }

  #begin(id: Json | undefined): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#parts.push({ kind: "reply-start", id: typeof id === "string" ? id : null });
  }

  #start(key: number, content: BlockContent): Open {
    this.#begin(null);
    const block = this.#open.size;
    const open = { block, seen: 0, part: 0, citations: 0, isEnded: false };
    this.#open.set(key, open);
    this.#hasOutput = true;
    if (content.kind === "call") this.#hasCalls = true;
    this.#parts.push({ kind: "block-start", block, choice: 0, content });
    return open;
  }

  #opened(event: JsonObject, content: BlockContent): Open {
    const key = keyOf(event);
    return this.#open.get(key) ?? this.#start(key, content);
  }

  #delta(open: Open | undefined, text: Json | undefined): void {
    if (!open || open.isEnded || typeof text !== "string" || text === "") return;
    open.seen += text.length;
    this.#parts.push({ kind: "block-delta", block: open.block, text });
  }

  /** All parts of a reasoning are one block, whichever of them are shown. */
  #reason(event: JsonObject, index: Json | undefined): void {
    const key = itemKey(event);
    const open = this.#open.get(key) ?? this.#start(key, { kind: "reasoning", isRedacted: false });
    // Some vendors tell the same thoughts as a summary and as text: the first of both is shown.
    open.reasoningEvent ??= event["type"];
    if (open.reasoningEvent !== event["type"]) return;
    const part = typeof index === "number" ? index : 0;
    if (part !== open.part) {
      open.part = part;
      if (open.seen > 0) this.#delta(open, reasoningBreak);
    }
    this.#delta(open, event["delta"]);
  }

  #addPart(event: JsonObject): void {
    const type = isObject(event["part"]) ? event["part"]["type"] : null;
    if (type === "output_text") this.#opened(event, { kind: "text" });
    else if (type === "refusal") this.#opened(event, { kind: "refusal" });
  }

  #addItem(item: Json | undefined, key: number): void {
    if (!isObject(item)) return;
    const content = callOf(item);
    if (content && !this.#open.has(key)) this.#start(key, content);
  }

  #cite(open: Open, annotation: Json | undefined): void {
    open.citations++;
    const citation = readCitation(annotation);
    if (!citation || open.isEnded) return;
    this.#parts.push({ kind: "block-citation", block: open.block, citation });
  }

  #endItem(item: Json | undefined, key: number): void {
    if (!isObject(item)) return;
    switch (item["type"]) {
      case "message":
        return this.#endMessage(item["content"], key);
      case "function_call":
        return this.#endCall(item, item["arguments"], key);
      case "custom_tool_call":
        return this.#endCall(item, item["input"], key);
      case "reasoning":
        return this.#endReasoning(item, key);
      case "web_search_call":
        return this.#endSearch(item, key);
      case "image_generation_call":
        for (const part of decodeGenerated(item, "output")) {
          if (!this.#open.has(key)) this.#close(this.#start(key, { kind: "media", part }));
        }
    }
  }

  #endMessage(content: Json | undefined, key: number): void {
    for (const [at, part] of listOf(content).entries()) {
      if (!isObject(part)) continue;
      const kind = part["type"] === "refusal" ? "refusal" : "text";
      const open = this.#open.get(key + at) ?? this.#start(key + at, { kind });
      this.#catchUp(open, part[kind]);
      const annotations = listOf(part["annotations"]).slice(open.citations);
      for (const annotation of annotations) this.#cite(open, annotation);
      this.#close(open);
    }
  }

  #endCall(item: JsonObject, input: Json | undefined, key: number): void {
    const content = callOf(item);
    const open = this.#open.get(key) ?? (content ? this.#start(key, content) : null);
    if (!open) return;
    this.#catchUp(open, input);
    this.#close(open);
  }

  #endReasoning(item: JsonObject, key: number): void {
    const text = reasoningText(item);
    const data = item["encrypted_content"];
    const hasProof = typeof data === "string" && data !== "";
    let open = this.#open.get(key);
    if (!open) {
      if (text === "" && !hasProof) return;
      open = this.#start(key, { kind: "reasoning", isRedacted: false });
      this.#delta(open, text);
    }
    if (hasProof && !open.isEnded) {
      const id = typeof item["id"] === "string" ? { id: item["id"] } : {};
      const proof = { dialect: "responses" as const, data, ...id };
      this.#parts.push({ kind: "block-proof", block: open.block, proof });
    }
    this.#close(open);
  }

  #endSearch(item: JsonObject, key: number): void {
    const part = readSearchItem(item);
    if (part && !this.#open.has(key)) this.#close(this.#start(key, { kind: "search", part }));
  }

  /** The end of a text whose deltas did not all come. */
  #catchUp(open: Open, whole: Json | undefined): void {
    if (typeof whole === "string" && whole.length > open.seen) {
      this.#delta(open, whole.slice(open.seen));
    }
  }

  #close(open: Open): void {
    if (open.isEnded) return;
    open.isEnded = true;
    this.#parts.push({ kind: "block-end", block: open.block });
  }

  #end(response: JsonObject): void {
    this.#begin(response["id"]);
    if (this.#open.size === 0) {
      for (const [at, item] of listOf(response["output"]).entries()) {
        this.#endItem(item, at * partsMax);
      }
    }
    for (const open of this.#open.values()) this.#close(open);
    const usage = readOpenaiUsage(response["usage"]);
    if (usage) this.#parts.push({ kind: "usage", usage });
    const stop = readStop(response, { hasOutput: this.#hasOutput, hasCalls: this.#hasCalls });
    this.#parts.push({ kind: "choice-end", choice: 0, stop, stopSequence: null });
    this.#parts.push({ kind: "reply-end" });
    this.#isOver = true;
  }

  #fault(message: string): void {
    this.#parts.push({ kind: "fault", message });
    this.#isOver = true;
  }
}

function keyOf({ output_index: item, content_index: part }: JsonObject): number {
  return (typeof item === "number" ? item * partsMax : 0) + (typeof part === "number" ? part : 0);
}

function itemKey({ output_index: item }: JsonObject): number {
  return typeof item === "number" ? item * partsMax : 0;
}

/** Null when the item is no call, or one that nobody could answer. */
export function callOf(item: JsonObject): Extract<BlockContent, { kind: "call" }> | null {
  const { type, name } = item;
  if (type !== "function_call" && type !== "custom_tool_call") return null;
  const id = item["call_id"] ?? item["id"];
  if (typeof id !== "string" || typeof name !== "string") return null;
  return { kind: "call", id, name, isCustom: type === "custom_tool_call" };
}

export function faultOf({ response, error, message }: JsonObject): string {
  const failure = isObject(response) ? response["error"] : error;
  if (isObject(failure) && typeof failure["message"] === "string") return failure["message"];
  return typeof message === "string" ? message : "the upstream reported an error";
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

export function parseEvent(data: string): JsonObject | null {
  try {
    const event: unknown = JSON.parse(data);
    return isObject(event) ? event : null;
  } catch {
    return null;
  }
}
