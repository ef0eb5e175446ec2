// The output of a response that is being streamed: its items in their order, the blocks they are
// written from, and the events that tell of them. An item's last event waits for what comes next,
// because only the end of the answer tells whether its last item was cut off.
import type { JsonObject } from "../../core/json.ts";
import type { Citation, Proof } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import type { BlockContent } from "../stream-part.ts";
import { eventText } from "../kit/event-text.ts";
import { responseObject, type ResponseState } from "./encode-reply.ts";
import { reasoningItem, refusalPart, textPart, type ItemStatus } from "./output-items.ts";

export interface Item {
  id: string;
  index: number;
  json: JsonObject;
  /** The parts of a message. */
  content: JsonObject[];
  /** The count of its blocks that have not ended. */
  openBlocks: number;
  /** A message may get further parts until it is closed. */
  isClosed: boolean;
  /** Signatures of what the item holds; they follow it as items of their own. */
  signatures: string[];
}

export interface TextBlock {
  kind: "text" | "refusal";
  item: Item;
  contentIndex: number;
  annotations: JsonObject[];
  /** Citations that do not say which characters they are of. */
  unplaced: Citation[];
  text: string;
}

export interface ReasoningBlock {
  kind: "reasoning";
  /** It is shown once there is something of it. */
  item: Item | null;
  isRedacted: boolean;
  proof: Proof | null;
  text: string;
}

export interface CallBlock {
  kind: "call";
  item: Item;
  call: Extract<BlockContent, { kind: "call" }>;
  text: string;
}

export type Block = TextBlock | ReasoningBlock | CallBlock;

export class OutputLog {
  readonly #frame: ReplyFrame;
  readonly #items: Item[] = [];
  /** Items that are at their end but have not said so. */
  #waiting: Item[] = [];
  #sequence = 0;
  /** The response in its last telling. */
  #response: JsonObject | null = null;

  constructor(frame: ReplyFrame) {
    this.#frame = frame;
  }

  event(type: string, fields: JsonObject): string {
    return eventText({ type, sequence_number: this.#sequence++, ...fields }, type);
  }

  /** The next piece of a block, with what stands behind it. */
  delta(block: Block, delta: string, rest: JsonObject): string {
    const logprobs = block.kind === "text" ? { logprobs: [] } : {};
    return this.event(deltaType(block), { ...placeOf(block), delta, ...rest, ...logprobs });
  }

  envelope(name: string, state: Omit<ResponseState, "output">): string {
    const output = this.#items.map(({ json }) => json);
    const response = responseObject(this.#frame, { ...state, output });
    this.#response = response;
    return this.event(`response.${name}`, { response });
  }

  get response(): JsonObject | null {
    return this.#response;
  }

  add(prefix: string, render: (id: string, content: JsonObject[]) => JsonObject): [Item, string] {
    const index = this.#items.length;
    const id = `${prefix}_${this.#frame.requestId}_${index}`;
    const content: JsonObject[] = [];
    const json = render(id, content);
    const item = { id, index, json, content, openBlocks: 0, isClosed: true, signatures: [] };
    this.#items.push(item);
    return [item, this.event("response.output_item.added", { output_index: index, item: json })];
  }

  /** The item is at its end. */
  hold(item: Item): void {
    this.#waiting.push(item);
  }

  /** Lets the items that are at their end say so; the last one of them as it really ended. */
  release(status: ItemStatus): string {
    if (this.#waiting.length === 0) return "";
    const waiting = this.#waiting.toSorted((a, b) => a.index - b.index);
    const last = waiting.at(-1);
    this.#waiting = [];
    return waiting.map((item) => this.#done(item, item === last ? status : "completed")).join("");
  }

  #done(item: Item, status: ItemStatus): string {
    const { json, index, signatures } = item;
    const hasStatus = json["type"] === "message" || json["type"] === "function_call";
    item.json = hasStatus ? { ...json, status } : json;
    let text = this.event("response.output_item.done", { output_index: index, item: item.json });
    for (const sealed of signatures) {
      const [signature, added] = this.add("rs", (id) => reasoningItem(id, "", sealed));
      text += added + this.#done(signature, "completed");
    }
    return text;
  }
}

function deltaType(block: Block): string {
  switch (block.kind) {
    case "text":
      return "response.output_text.delta";
    case "refusal":
      return "response.refusal.delta";
    case "reasoning":
      return "response.reasoning_summary_text.delta";
    case "call":
      return block.call.isCustom
        ? "response.custom_tool_call_input.delta"
        : "response.function_call_arguments.delta";
  }
}

/** The place of a block, in the words of its events. */
export function placeOf(block: Block): JsonObject {
  const place = { item_id: block.item?.id ?? "", output_index: block.item?.index ?? 0 };
  if (block.kind === "call") return place;
  if (block.kind === "reasoning") return { ...place, summary_index: 0 };
  return { ...place, content_index: block.contentIndex };
}

export function renderText({ kind, text, annotations }: TextBlock): JsonObject {
  return kind === "text" ? textPart(text, annotations) : refusalPart(text);
}

const paddedLength = 16;
const padding = "abcdefghijklmnop";

/** Lengths of tokens tell much of a text to who watches the wire; this evens them out. */
export function obfuscate(delta: string): JsonObject {
  return { obfuscation: padding.slice(0, paddedLength - (delta.length % paddedLength)) };
}
