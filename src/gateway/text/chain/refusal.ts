// Refusals that another model might not share: a body that is over the window, and a prompt that a
// content filter stopped before any output. Looked for only where a virtual model has a member for
// it, because others pass on what the vendor said.
import { GatewayError } from "../../../core/errors.ts";
import { readEvents } from "../../../core/sse.ts";
import type { Format } from "../../../formats/format.ts";
import { brings } from "../../../formats/kit/emptiness.ts";
import type { StreamDecoder, StreamPart } from "../../../formats/stream-part.ts";
import type { RequestFault } from "../../../upstreams/upstream.ts";
import type { Attempt, RefusedFor } from "../../attempt.ts";
import type { Tally } from "../meter/tally.ts";

/** Codes of OpenAI, Azure, Alibaba, Ark and Moonshot; numbers are those of Zhipu and MiniMax. */
const filterCode = anyOf(
  "content_?(?:filter|policy)",
  "moderation",
  "data_?inspection",
  "sensitive",
  "responsible_?ai",
  "^invalid_prompt$",
  "^1301$",
  "^102[67]$",
);
const filterWord = anyOf(
  "content exists risk",
  "content (?:management |filtering )?policy",
  "safety (?:system|filter)",
);
const windowCode = anyOf("context_(?:length|window)", "prompt_too_long", "string_above_max_length");
const windowWord = anyOf(
  "context (?:length|window)",
  "prompt is too long",
  "input token count",
  "maximum (?:number of )?(?:input )?tokens",
  "range of input length",
);

function anyOf(...words: readonly string[]): RegExp {
  return new RegExp(words.join("|"), "i");
}

/** Null where it is the client's own fault, which every model would refuse. */
export function refusalOf({ type, code, message }: RequestFault): RefusedFor | null {
  const isEither = (word: RegExp) => word.test(code ?? "") || word.test(type);
  if (isEither(windowCode)) return "context";
  if (isEither(filterCode)) return "refused";
  if (windowWord.test(message)) return "context";
  return filterWord.test(message) ? "refused" : null;
}

/** A whole reply of which a filter let nothing through. */
export function isFilteredReply({ upstream }: Format, body: unknown): boolean {
  const choices = upstream?.decodeReply(body)?.choices ?? [];
  return (
    choices.length > 0 &&
    choices.every(({ stop, parts }) => {
      const says = parts.some((part) => !("text" in part) || part.text !== "");
      return stop === "filter" && !says;
    })
  );
}

export function filtered(): Attempt<never> {
  const message = "The model's content filter stopped the request.";
  const shown = { upstreamStatus: 400, type: "invalid_request_error", code: "content_filter" };
  const error = new GatewayError("upstream_refused", { message, shown });
  return { kind: "refused", error, why: "refused" };
}

/** Looks at the beginning of a stream, until it is known whether anything comes. */
export class FilterWatch {
  #decoder: StreamDecoder | null;
  readonly #text = new TextDecoder();
  isFiltered = false;

  constructor({ upstream }: Format) {
    this.#decoder = upstream?.decodeStream() ?? null;
  }

  /** Nothing of an answer has come yet, and no end. */
  get isOpen(): boolean {
    return this.#decoder !== null;
  }

  /** Some wires say why only with their connection's end. */
  close(): void {
    if (this.#decoder) this.#judge(this.#decoder.close());
  }

  over(tally: Tally): Tally {
    return {
      push: (bytes) => {
        if (this.#decoder) this.#see(this.#decoder, bytes);
        tally.push(bytes);
      },
      count: () => tally.count(),
      drop: () => tally.drop(),
    };
  }

  #see(decoder: StreamDecoder, bytes: Uint8Array): void {
    for (const event of readEvents(this.#text.decode(bytes, { stream: true }))) {
      this.#judge(decoder.push(event));
      if (!this.isOpen) return;
    }
  }

  #judge(parts: readonly StreamPart[]): void {
    for (const part of parts) {
      const isEnd = part.kind === "choice-end" || part.kind === "reply-end";
      if (!isEnd && part.kind !== "fault" && !brings(part)) continue;
      this.isFiltered = part.kind === "choice-end" && part.stop === "filter";
      this.#decoder = null;
      return;
    }
  }
}
