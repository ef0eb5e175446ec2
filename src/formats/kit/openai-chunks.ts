// The chunks of a streamed chat or legacy completion.
import type { JsonObject } from "../../core/json.ts";
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

  constructor({ requestId, createdAtSeconds, exchange, request }: ReplyFrame, kind: ChunkKind) {
    this.#frame = {
      id: `${kind.idPrefix}-${requestId}`,
      object: kind.object,
      created: createdAtSeconds,
      model: exchange.model,
    };
    this.#wantsUsage = request.wantsUsage;
  }

  /** A piece of one choice; `content` is what it has of its own, such as its `text`. */
  piece(index: number, content: JsonObject, finishReason: string | null = null): string {
    const choice = { index, ...content, logprobs: null, finish_reason: finishReason };
    // A client that asked for the usage reads null on every chunk but the last.
    const usage = this.#wantsUsage ? { usage: null } : {};
    return eventText({ ...this.#frame, choices: [choice], ...usage });
  }

  end(usage: Usage | null): string {
    const last =
      this.#wantsUsage && usage
        ? eventText({ ...this.#frame, choices: [], usage: encodeOpenaiUsage(usage) })
        : "";
    return `${last}data: [DONE]\n\n`;
  }
}
