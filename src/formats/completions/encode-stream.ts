// A streamed reply for a client of legacy completions.
import type { ReplyFrame } from "../format.ts";
import { toMarkdown } from "../kit/media.ts";
import { OpenaiChunks } from "../kit/openai-chunks.ts";
import type { BlockStart, StreamEncoder, StreamPart } from "../stream-part.ts";
import type { Usage } from "../usage.ts";
import { encodeStop } from "./stop-reason.ts";

export class CompletionsStreamEncoder implements StreamEncoder {
  readonly #chunks: OpenaiChunks;
  /** The choice that each open block of text belongs to; other blocks are not shown. */
  readonly #texts = new Map<number, number>();
  #usage: Usage | null = null;

  constructor(frame: ReplyFrame) {
    this.#chunks = new OpenaiChunks(frame, { idPrefix: "cmpl", object: "text_completion" });
  }

  push(part: StreamPart): string {
    switch (part.kind) {
      case "block-start":
        return this.#start(part);
      case "block-delta": {
        const choice = this.#texts.get(part.block);
        return choice === undefined ? "" : this.#piece(choice, part.text);
      }
      case "block-end":
        this.#texts.delete(part.block);
        return "";
      case "choice-end":
        return this.#chunks.piece(part.choice, { text: "" }, encodeStop(part.stop));
      case "usage":
        this.#usage = part.usage;
        return "";
      case "reply-end":
        return this.#chunks.end(this.#usage);
      default:
        return "";
    }
  }

  #start({ block, choice, content }: BlockStart): string {
    if (content.kind === "media") return this.#piece(choice, toMarkdown(content.part));
    if (content.kind === "text" || content.kind === "refusal") this.#texts.set(block, choice);
    return "";
  }

  #piece(choice: number, text: string): string {
    return text === "" ? "" : this.#chunks.piece(choice, { text });
  }
}
