// A reply in pieces for a messages client. The wire has one block open at a time and numbers them
// in order, so pieces of later blocks wait until the blocks before them have ended. A block is
// opened by its first content, and what has none is never written.
import type { JsonObject } from "../../core/json.ts";
import type { Citation, Proof, SearchPart, StopReason } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { eventText } from "../kit/event-text.ts";
import type { BlockContent, StreamEncoder, StreamPart } from "../stream-part.ts";
import type { Usage } from "../usage.ts";
import { encodeHead, mediaText, showsThinking } from "./encode-reply.ts";
import { writeStopReason } from "./stop-reason.ts";
import { writeUsage } from "./usage.ts";
import { writeCitations } from "./wire/citation.ts";
import { signThoughts, toCarrier, toSignature } from "./wire/proof-slot.ts";
import { writeSearch } from "./wire/web-search.ts";

interface Block {
  content: BlockContent;
  /** Its number on the wire once it was opened. */
  index: number | null;
  /** Text that has come and was not written yet. */
  text: string;
  citations: Citation[];
  proof: Proof | null;
  isEnded: boolean;
}

type Piece = Extract<
  StreamPart,
  { kind: "block-delta" | "block-proof" | "block-citation" | "block-end" }
>;

export class MessagesStreamEncoder implements StreamEncoder {
  readonly #frame: ReplyFrame;
  readonly #showsThinking: boolean;
  /** In the order of their starts; the first one is being written. */
  readonly #blocks = new Map<number, Block>();
  #indexes = 0;
  #searches = 0;
  #usage: Usage | null = null;
  #stop: StopReason = "stop";
  #stopSequence: string | null = null;
  #hasRefused = false;
  /**
   * Proof of a text that has ended. It is written once something follows: a client that shows the
   * last block of an answer would show nothing, and its vendor does not insist on it.
   */
  #lateProof: Proof | null = null;

  constructor(frame: ReplyFrame) {
    this.#frame = frame;
    this.#showsThinking = showsThinking(frame);
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "reply-start":
        return this.#writeStart();
      case "block-start":
        if (part.choice === 0) this.#add(part.block, part.content);
        return "";
      case "choice-end":
        if (part.choice === 0) {
          this.#stop = part.stop;
          this.#stopSequence = part.stopSequence;
        }
        return "";
      case "usage":
        this.#usage = part.usage;
        return "";
      case "reply-end":
        return this.#writeEnd();
      case "fault":
        return "";
      default:
        return this.#take(part);
    }
  }

  #add(number: number, content: BlockContent): void {
    if (content.kind === "refusal") this.#hasRefused = true;
    if (content.kind === "reasoning" && !this.#showsThinking) return;
    const text = content.kind === "media" ? mediaText(content.part) : "";
    const block = { content, index: null, text, citations: [], proof: null, isEnded: false };
    this.#blocks.set(number, block);
  }

  #take(piece: Piece): string {
    const block = this.#blocks.get(piece.block);
    if (!block) return "";
    if (piece.kind === "block-delta") block.text += piece.text;
    else if (piece.kind === "block-citation") block.citations.push(piece.citation);
    else if (piece.kind === "block-proof") block.proof = this.#showsThinking ? piece.proof : null;
    else block.isEnded = true;
    const [first] = this.#blocks.values();
    if (block !== first) return "";
    return block.isEnded ? this.#writeEnded() : this.#write(block);
  }

  /** Writes the blocks that have ended, and of the next one what has come so far. */
  #writeEnded(): string {
    let text = "";
    for (const [number, block] of this.#blocks) {
      text += this.#write(block);
      if (!block.isEnded) break;
      text += this.#close(block);
      this.#blocks.delete(number);
    }
    return text;
  }

  #write(block: Block): string {
    const { content } = block;
    if (content.kind === "reasoning" && content.isRedacted) return "";
    const citations = writeCitations(block.citations.splice(0));
    const isDue = block.text !== "" || (content.kind === "call" && block.isEnded);
    if (!isDue && citations.length === 0) return "";
    let text = block.index === null ? this.#open(block, startOf(content)) : "";
    if (block.text !== "") {
      text += deltaText(block.index, toDelta(content, block.text));
      block.text = "";
    }
    for (const citation of citations) {
      text += deltaText(block.index, { type: "citations_delta", citation });
    }
    return text;
  }

  /** A proof that is there in time stands before the call or the text that it belongs to. */
  #open(block: Block, start: JsonObject): string {
    let text = this.#lateProof ? this.#writeCarrier(this.#lateProof, true) : "";
    this.#lateProof = null;
    if (block.proof && block.content.kind !== "reasoning") {
      text += this.#writeCarrier(block.proof, false);
      block.proof = null;
    }
    block.index = this.#indexes++;
    text += startText(block.index, start);
    const isCustom = block.content.kind === "call" && block.content.isCustom;
    return isCustom ? text + inputText(block.index, '{"input":"') : text;
  }

  #close(block: Block): string {
    const { content, proof } = block;
    if (content.kind === "search") return this.#writeSearch(content.part);
    if (content.kind === "reasoning") return this.#closeReasoning(block, content.isRedacted);
    if (proof && content.kind === "text" && block.index !== null) this.#lateProof = proof;
    const late = proof && !this.#lateProof ? this.#writeCarrier(proof, true) : "";
    if (block.index === null) return late;
    const isCustom = content.kind === "call" && content.isCustom;
    return `${isCustom ? inputText(block.index, '"}') : ""}${stopText(block.index)}${late}`;
  }

  #closeReasoning(block: Block, isRedacted: boolean): string {
    const { proof } = block;
    const data = proof ? toSignature(proof) : "";
    if (block.index === null && data === "") return "";
    let text = "";
    if (isRedacted) {
      text = this.#open(block, { type: "redacted_thinking", data });
    } else {
      if (block.index === null) text = this.#open(block, startOf(block.content));
      text += deltaText(block.index, { type: "signature_delta", signature: signThoughts(proof) });
    }
    return block.index === null ? text : text + stopText(block.index);
  }

  #writeCarrier(proof: Proof, isBehind: boolean): string {
    const { signature } = toCarrier(proof, isBehind);
    const index = this.#indexes++;
    const start = startText(index, { type: "thinking", thinking: "", signature: "" });
    const delta = { type: "signature_delta", signature };
    return start + deltaText(index, delta) + stopText(index);
  }

  #writeSearch(part: SearchPart): string {
    const blocks = writeSearch(part, this.#frame.requestId, this.#searches);
    this.#searches += blocks.length;
    let text = "";
    for (const { call, input, result } of blocks) {
      const [callIndex, resultIndex] = [this.#indexes++, this.#indexes++];
      text += startText(callIndex, { ...call, input: {} });
      text += inputText(callIndex, JSON.stringify(input)) + stopText(callIndex);
      text += startText(resultIndex, result) + stopText(resultIndex);
    }
    return text;
  }

  #writeStart(): string {
    const message = {
      ...encodeHead(this.#frame),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: writeUsage(this.#usage),
    };
    return eventText({ type: "message_start", message }, "message_start");
  }

  /** Only here is everything counted that the reply used. */
  #writeEnd(): string {
    const delta = {
      stop_reason: writeStopReason(this.#stop, this.#hasRefused),
      stop_sequence: this.#stopSequence,
    };
    const usage = writeUsage(this.#usage, this.#searches);
    const end = { type: "message_delta", delta, usage };
    return eventText(end, "message_delta") + eventText({ type: "message_stop" }, "message_stop");
  }
}

function startOf(content: BlockContent): JsonObject {
  switch (content.kind) {
    case "reasoning":
      return { type: "thinking", thinking: "", signature: "" };
    case "call":
      return { type: "tool_use", id: content.id, name: content.name, input: {} };
    default:
      return { type: "text", text: "" };
  }
}

function toDelta(content: BlockContent, text: string): JsonObject {
  switch (content.kind) {
    case "reasoning":
      return { type: "thinking_delta", thinking: text };
    case "call": {
      // A custom tool's free text is the one field of an object, written piece by piece.
      const json = content.isCustom ? JSON.stringify(text).slice(1, -1) : text;
      return { type: "input_json_delta", partial_json: json };
    }
    default:
      return { type: "text_delta", text };
  }
}

function startText(index: number, block: JsonObject): string {
  const start = { type: "content_block_start", index, content_block: block };
  return eventText(start, "content_block_start");
}

function deltaText(index: number | null, delta: JsonObject): string {
  return eventText({ type: "content_block_delta", index, delta }, "content_block_delta");
}

function inputText(index: number, json: string): string {
  return deltaText(index, { type: "input_json_delta", partial_json: json });
}

function stopText(index: number): string {
  return eventText({ type: "content_block_stop", index }, "content_block_stop");
}
