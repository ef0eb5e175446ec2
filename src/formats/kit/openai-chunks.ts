// The chunks of a streamed chat or legacy completion. What is the same in all of them is written
// once; a chunk is made for every token.
import { eventText } from "./event-text.ts";
import { encodeOpenaiUsage } from "./openai-usage.ts";
import type { ReplyFrame } from "../format.ts";
import type { Usage } from "../usage.ts";

interface ChunkKind {
  idPrefix: string;
  object: string;
}

export class OpenaiChunks {
  readonly #frame: { id: string; object: string; created: number; model: string };
  readonly #wantsUsage: boolean;
  readonly #head: string;
  readonly #tail: string;

  constructor({ requestId, createdAtSeconds, exchange, request }: ReplyFrame, kind: ChunkKind) {
    this.#frame = {
      id: `${kind.idPrefix}-${requestId}`,
      object: kind.object,
      created: createdAtSeconds,
      model: exchange.model,
    };
    this.#wantsUsage = request.wantsUsage;
    this.#head = `data: ${JSON.stringify(this.#frame).slice(0, -1)},"choices":[{"index":`;
    // Who asked for the usage reads null on every chunk but the last.
    this.#tail = `}]${this.#wantsUsage ? ',"usage":null' : ""}}\n\n`;
  }

  /** A piece of one choice; `content` is JSON text such as `"text":"a"`. */
  piece(choice: number, content: string, finishReason: string | null = null): string {
    const ending = `"logprobs":null,"finish_reason":${JSON.stringify(finishReason)}`;
    return `${this.#head}${choice},${content},${ending}${this.#tail}`;
  }

  end(usage: Usage | null): string {
    const last =
      this.#wantsUsage && usage
        ? eventText({ ...this.#frame, choices: [], usage: encodeOpenaiUsage(usage) })
        : "";
    return `${last}data: [DONE]\n\n`;
  }
}
