// A streamed reply for a chat client.
import type { JsonObject } from "../../core/json.ts";
import type { Citation, Proof } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import { toMarkdown } from "../kit/media.ts";
import { OpenaiChunks } from "../kit/openai-chunks.ts";
import { sealProof } from "../kit/proof.ts";
import type { BlockStart, StreamEncoder, StreamPart } from "../stream-part.ts";
import type { Usage } from "../usage.ts";
import { encodeCitation } from "./citations.ts";
import { usesFunctions } from "./decode-tools.ts";
import { encodeSignature } from "./extensions.ts";
import { encodeDetail, needsDetail, withText } from "./reasoning-details.ts";
import { encodeStop } from "./stop-reason.ts";

interface Choice {
  index: number;
  calls: number;
  /** Length of each text that the client has. */
  contentLength: number;
  reasoningLength: number;
  annotations: JsonObject[];
}

interface Block {
  choice: Choice;
  content: BlockStart["content"];
  /** Start of its text in the choice's content or reasoning. */
  start: number;
  length: number;
  /** Thoughts so far. */
  thought: string;
  /** Citations that do not say which characters they are of. */
  unplaced: Citation[];
  /** Number of the call within its choice. */
  call: number;
  proof: Proof | null;
}

export class ChatStreamEncoder implements StreamEncoder {
  readonly #chunks: OpenaiChunks;
  readonly #isLegacy: boolean;
  readonly #choices = new Map<number, Choice>();
  readonly #blocks = new Map<number, Block>();
  #usage: Usage | null = null;

  constructor(frame: ReplyFrame) {
    this.#chunks = new OpenaiChunks(frame, {
      idPrefix: "chatcmpl",
      object: "chat.completion.chunk",
    });
    this.#isLegacy = usesFunctions(frame.body);
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "reply-start":
        return this.#begin(0);
      case "block-start":
        return this.#begin(part.choice) + this.#start(part);
      case "choice-end": {
        const isFunction = this.#isLegacy && part.stop === "calls";
        const finish = isFunction ? "function_call" : encodeStop(part.stop);
        const begun = this.#begin(part.choice) + this.#annotate(part.choice);
        return begun + this.#chunks.piece(part.choice, { delta: {} }, finish);
      }
      case "usage":
        this.#usage = part.usage;
        return "";
      case "reply-end":
        return this.#chunks.end(this.#usage);
      case "fault":
        return "";
      default: {
        const block = this.#blocks.get(part.block);
        return block ? this.#extend(block, part) : "";
      }
    }
  }

  /** The first chunk of a choice says whose words follow. */
  #begin(index: number): string {
    if (this.#choices.has(index)) return "";
    this.#choices.set(index, {
      index,
      calls: 0,
      contentLength: 0,
      reasoningLength: 0,
      annotations: [],
    });
    return this.#piece(index, { role: "assistant", content: "", refusal: null });
  }

  #start({ block: number, choice: index, content }: BlockStart): string {
    const choice = this.#choices.get(index);
    if (!choice) return "";
    const start = content.kind === "reasoning" ? choice.reasoningLength : choice.contentLength;
    const call = content.kind === "call" ? choice.calls++ : 0;
    const block: Block = {
      choice,
      content,
      start,
      length: 0,
      thought: "",
      unplaced: [],
      call,
      proof: null,
    };
    this.#blocks.set(number, block);
    if (content.kind === "media") {
      const text = toMarkdown(content.part);
      choice.contentLength += text.length;
      return text === "" ? "" : this.#piece(index, { content: text });
    }
    if (content.kind !== "call") return "";
    const { id, name, isCustom } = content;
    if (this.#isLegacy) return this.#callPiece(block, { function: { name, arguments: "" } });
    return isCustom
      ? this.#callPiece(block, { id, type: "custom", custom: { name, input: "" } })
      : this.#callPiece(block, { id, type: "function", function: { name, arguments: "" } });
  }

  #extend(block: Block, part: Extract<StreamPart, { block: number }>): string {
    switch (part.kind) {
      case "block-delta":
        return part.text === "" ? "" : this.#delta(block, part.text);
      case "block-proof":
        return this.#prove(block, part.proof);
      case "block-citation":
        // One without a place is of the whole text, whose length is known at its end.
        if (part.citation.end === null) block.unplaced.push(part.citation);
        else cite(block, part.citation);
        return "";
      case "block-end":
        this.#blocks.delete(part.block);
        return this.#end(block);
      default:
        return "";
    }
  }

  #delta(block: Block, text: string): string {
    const { choice, content } = block;
    block.length += text.length;
    switch (content.kind) {
      case "text":
        choice.contentLength += text.length;
        return this.#piece(choice.index, { content: text });
      case "reasoning":
        choice.reasoningLength += text.length;
        block.thought += text;
        return this.#piece(choice.index, { reasoning_content: text });
      case "refusal":
        return this.#piece(choice.index, { refusal: text });
      case "call":
        return content.isCustom && !this.#isLegacy
          ? this.#callPiece(block, { custom: { input: text } })
          : this.#callPiece(block, { function: { arguments: text } });
      case "media":
      case "search":
        return "";
    }
  }

  /** All at once, because clients keep the last list that they are given. */
  #annotate(index: number): string {
    const annotations = this.#choices.get(index)?.annotations ?? [];
    return annotations.length === 0 ? "" : this.#piece(index, { annotations });
  }

  /** A call has a place of its own; elsewhere it is told when the text that it is of is known. */
  #prove(block: Block, proof: Proof): string {
    const { content } = block;
    const isCall = content.kind === "call";
    if (isCall && !this.#isLegacy) {
      // Strict clients take no piece of a call that is not also a piece of its input.
      const nothing = content.isCustom
        ? { custom: { input: "" } }
        : { function: { arguments: "" } };
      const signature = encodeSignature(sealProof(proof));
      return this.#callPiece(block, { ...nothing, extra_content: signature });
    }
    if (!isCall || block.call === 0) block.proof = proof;
    return "";
  }

  #end(block: Block): string {
    const { choice, content, start, length, thought, proof } = block;
    // A call without arguments is one with an empty object of them.
    const isBare = content.kind === "call" && !content.isCustom && length === 0;
    const last = isBare ? this.#callPiece(block, { function: { arguments: "{}" } }) : "";
    for (const citation of block.unplaced) cite(block, citation);
    if (!needsDetail(proof)) return last;
    const isReasoning = content.kind === "reasoning";
    const span = { start, end: isReasoning ? start + length : start };
    const detail = encodeDetail(proof, span, isReasoning && content.isRedacted);
    return last + this.#piece(choice.index, { reasoning_details: [withText(detail, thought)] });
  }

  /** A client of functions can read one call, so it is given the first. */
  #callPiece({ choice, call: index }: Block, piece: JsonObject): string {
    if (!this.#isLegacy) return this.#piece(choice.index, { tool_calls: [{ index, ...piece }] });
    return index === 0 ? this.#piece(choice.index, { function_call: piece["function"] }) : "";
  }

  #piece(choice: number, delta: JsonObject): string {
    return this.#chunks.piece(choice, { delta });
  }
}

function cite({ choice, start, length }: Block, citation: Citation): void {
  const annotation = encodeCitation(citation, start, length);
  if (annotation) choice.annotations.push(annotation);
}
