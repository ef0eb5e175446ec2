// Writes a stream as Google does: bare data events, each a reply with the next parts. Google has no
// blocks, so those that are open side by side are written one after the other, and a call is
// written when it is whole. The last event says why the answers ended and what they took.
import type { JsonObject } from "../../core/json.ts";
import { eventText } from "../kit/event-text.ts";
import type { Citation, Proof, ReplyPart, SearchPart, StopReason } from "../exchange.ts";
import type { ReplyFrame } from "../format.ts";
import type { BlockContent, BlockStart, StreamEncoder, StreamPart } from "../stream-part.ts";
import { laterUsage, type Usage } from "../usage.ts";
import { writeGrounding } from "./citations.ts";
import { encodePart, placeInAnswer, showsThoughts } from "./encode-reply.ts";
import { writeFinish } from "./stop-reason.ts";
import { writeContentUsage } from "./usage.ts";

interface Block {
  choice: Choice;
  content: BlockContent;
  /** Text that has come and is not yet written. */
  text: string;
  proof: Proof | null;
  citations: Citation[];
  isEnded: boolean;
}

interface Choice {
  index: number;
  /** Blocks that are not yet written to their end; the first of them is written as it comes. */
  queue: Block[];
  /** All text of the answer so far, which citations count in, and where the first block begins. */
  text: string;
  textStart: number;
  citations: Citation[];
  searches: SearchPart[];
  isRefused: boolean;
  stop: StopReason;
}

export class ContentStreamEncoder implements StreamEncoder {
  readonly #isShown: boolean;
  readonly #names: JsonObject;
  readonly #blocks = new Map<number, Block>();
  readonly #choices = new Map<number, Choice>();
  #usage: Usage | null = null;

  constructor(frame: ReplyFrame) {
    this.#isShown = showsThoughts(frame);
    this.#names = { modelVersion: frame.exchange.model, responseId: frame.requestId };
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "block-start":
        this.#start(part);
        return "";
      case "block-delta":
        return this.#extend(this.#blocks.get(part.block), part.text);
      case "block-proof": {
        const block = this.#blocks.get(part.block);
        if (block) block.proof = part.proof;
        return "";
      }
      case "block-citation":
        this.#blocks.get(part.block)?.citations.push(part.citation);
        return "";
      case "block-end":
        return this.#end(part.block);
      case "choice-end":
        this.#choiceOf(part.choice).stop = part.stop;
        return "";
      case "usage":
        this.#usage = laterUsage(this.#usage, part.usage);
        return "";
      case "reply-end":
        return this.#last();
      // An error is written by who ends the stream.
      case "reply-start":
      case "fault":
        return "";
    }
  }

  #start({ block: number, choice: index, content }: BlockStart): void {
    const choice = this.#choiceOf(index);
    if (choice.queue.length === 0) choice.textStart = choice.text.length;
    if (content.kind === "refusal") choice.isRefused = true;
    if (content.kind === "search") choice.searches.push(content.part);
    const block: Block = {
      choice,
      content,
      text: "",
      proof: null,
      citations: [],
      isEnded: false,
    };
    this.#blocks.set(number, block);
    choice.queue.push(block);
  }

  #extend(block: Block | undefined, text: string): string {
    if (!block) return "";
    block.text += text;
    return block.choice.queue[0] === block ? this.#flush(block) : "";
  }

  /** Writes what may be written before the block's end. */
  #flush(block: Block): string {
    const { choice, content, text } = block;
    if (text === "" || !this.#isLive(content)) return "";
    block.text = "";
    if (content.kind !== "reasoning") {
      choice.text += text;
      return this.#event(choice, { text });
    }
    return this.#event(choice, { text, thought: true });
  }

  #isLive({ kind }: BlockContent): boolean {
    return kind === "text" || kind === "refusal" || (kind === "reasoning" && this.#isShown);
  }

  #end(number: number): string {
    const ended = this.#blocks.get(number);
    if (!ended) return "";
    this.#blocks.delete(number);
    ended.isEnded = true;
    const { choice } = ended;
    let written = "";
    while (choice.queue[0]) {
      const [block] = choice.queue;
      written += this.#flush(block);
      if (!block.isEnded) break;
      written += this.#finish(block);
      choice.queue.shift();
      choice.textStart = choice.text.length;
    }
    return written;
  }

  #finish({ choice, content, text, proof, citations }: Block): string {
    const { textStart } = choice;
    for (const citation of citations) {
      choice.citations.push(placeInAnswer(citation, textStart, choice.text.length - textStart));
    }
    const part = toPart(content, text, proof);
    const [written] = encodePart(part, this.#isShown);
    return written ? this.#event(choice, written) : "";
  }

  #event({ index }: Choice, part: JsonObject): string {
    const content = { parts: [part], role: "model" };
    return eventText({ candidates: [{ content, index }], ...this.#names });
  }

  #last(): string {
    const choices = [...this.#choices.values()].toSorted((a, b) => a.index - b.index);
    const candidates = choices.map((choice) => {
      const { index, stop, isRefused, text } = choice;
      const finishReason = writeFinish(stop, isRefused);
      // Without a part Google's own client takes the answer for a broken one and forgets all of it.
      const content = { parts: [{ text: "" }], role: "model" };
      const candidate: JsonObject = { content, finishReason, index, safetyRatings: [] };
      const grounding = writeGrounding(choice, text);
      if (grounding) candidate["groundingMetadata"] = grounding;
      return candidate;
    });
    const usage = this.#usage ? { usageMetadata: writeContentUsage(this.#usage) } : {};
    return eventText({ candidates, ...usage, ...this.#names });
  }

  #choiceOf(index: number): Choice {
    let choice = this.#choices.get(index);
    if (!choice) {
      choice = {
        index,
        queue: [],
        text: "",
        textStart: 0,
        citations: [],
        searches: [],
        isRefused: false,
        stop: "stop",
      };
      this.#choices.set(index, choice);
    }
    return choice;
  }
}

/** The rest of a block at its end: its signature, and the text that could not be written sooner. */
function toPart(content: BlockContent, text: string, proof: Proof | null): ReplyPart {
  switch (content.kind) {
    case "text":
      return proof ? { kind: "text", text, proof } : { kind: "text", text };
    case "reasoning":
      return { kind: "reasoning", text, proof, isRedacted: content.isRedacted };
    case "refusal":
      return { kind: "refusal", text };
    case "call":
      return proof ? { ...content, input: text, proof } : { ...content, input: text };
    case "media":
    case "search":
      return content.part;
  }
}
