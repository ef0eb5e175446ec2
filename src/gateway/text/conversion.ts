// One request that is converted: the client speaks one format, the upstream another. Everything
// between the two wires goes through the neutral shapes.
import type { JsonObject } from "../../core/json.ts";
import { readEvents } from "../../core/sse.ts";
import type { Reply } from "../../formats/exchange.ts";
import type { ClientSide, Observed, ReplyFrame, UpstreamSide } from "../../formats/format.ts";
import { foldParts } from "../../formats/kit/fold.ts";
import { sealProof } from "../../formats/kit/proof.ts";
import type { StreamDecoder, StreamEncoder, StreamPart } from "../../formats/stream-part.ts";
import { estimateTokens, laterUsage, type Usage } from "../../formats/usage.ts";
import type { SurchargeWatch } from "./surcharges.ts";
import { CallRestorer } from "./restore-calls.ts";

interface ConversionNeeds {
  client: ClientSide;
  upstream: UpstreamSide;
  frame: ReplyFrame;
  /** A call's own name by the alias it went out under. */
  names: ReadonlyMap<string, string>;
}

export class Conversion {
  readonly #needs: ConversionNeeds;

  constructor(needs: ConversionNeeds) {
    this.#needs = needs;
  }

  /** Null when it is not a reply of the upstream's format. */
  convertReply(body: unknown, bytes: Uint8Array): { body: JsonObject; observed: Observed } | null {
    const { client, upstream, frame } = this.#needs;
    const reply = body === null ? this.#readStreamed(bytes) : upstream.decodeReply(body);
    if (!reply) return null;
    const restored = this.#restorer().restoreReply(reply);
    return { body: client.encodeReply(restored, frame), observed: observe(reply) };
  }

  /** With a watch where something was sent that costs more than its tokens. */
  convertStream(watch: SurchargeWatch | null = null): StreamConversion {
    const { client, upstream, frame } = this.#needs;
    const encoder = client.encodeStream(frame);
    const stream = { decoder: upstream.decodeStream(), encoder, watch };
    return new StreamConversion(stream, this.#restorer());
  }

  #restorer(): CallRestorer {
    return new CallRestorer(this.#needs.names, this.#needs.frame.exchange.tools);
  }

  /** Some upstreams stream whatever they are asked for. */
  #readStreamed(bytes: Uint8Array): Reply | null {
    const decoder = this.#needs.upstream.decodeStream();
    const events = readEvents(new TextDecoder().decode(bytes));
    return foldParts([...events.flatMap((event) => decoder.push(event)), ...decoder.close()]);
  }
}

/** What one piece of the upstream's stream is for the client. */
export interface Converted {
  text: string;
  /** Something of the answer itself has come, not only its announcement. */
  hasContent: boolean;
  end: { kind: "end" } | { kind: "fault"; message: string } | null;
}

interface StreamSides {
  decoder: StreamDecoder;
  encoder: StreamEncoder;
  watch: SurchargeWatch | null;
}

export class StreamConversion {
  readonly #decoder: StreamDecoder;
  readonly #watch: SurchargeWatch | null;
  readonly #encoder: StreamEncoder;
  readonly #restorer: CallRestorer;
  readonly #origins: string[] = [];
  #usage: Usage | null = null;
  #outputTokens = 0;

  constructor({ decoder, encoder, watch }: StreamSides, restorer: CallRestorer) {
    this.#decoder = decoder;
    this.#watch = watch;
    this.#encoder = encoder;
    this.#restorer = restorer;
  }

  push(event: { event: string | null; data: string }): Converted {
    this.#watch?.see(event.data);
    return this.#convert(this.#decoder.push(event));
  }

  close(): Converted {
    return this.#convert(this.#decoder.close());
  }

  observed(): Observed {
    return {
      usage: this.#usage,
      outputTokensEstimate: this.#outputTokens,
      origins: this.#origins,
      ...(this.#watch && { use: this.#watch.use }),
    };
  }

  reply(): JsonObject | null {
    return this.#encoder.reply?.() ?? null;
  }

  #convert(parts: readonly StreamPart[]): Converted {
    const converted: Converted = { text: "", hasContent: false, end: null };
    for (const part of parts) {
      this.#note(part);
      if (part.kind === "fault") converted.end = { kind: "fault", message: part.message };
      if (converted.end) break;
      for (const restored of this.#restorer.restore(part)) {
        converted.text += this.#encoder.push(restored);
      }
      if (part.kind === "reply-end") converted.end = { kind: "end" };
      if (part.kind !== "reply-start" && part.kind !== "usage") converted.hasContent = true;
    }
    return converted;
  }

  #note(part: StreamPart): void {
    if (part.kind === "usage") this.#usage = laterUsage(this.#usage, part.usage);
    else if (part.kind === "block-delta") this.#outputTokens += estimateTokens(part.text);
    else if (part.kind === "block-proof" && part.proof.data !== "") {
      this.#origins.push(sealProof(part.proof));
    }
  }
}

function observe({ usage, choices }: Reply): Observed {
  const origins: string[] = [];
  let outputTokensEstimate = 0;
  for (const part of choices.flatMap(({ parts }) => parts)) {
    if (part.kind === "call") outputTokensEstimate += estimateTokens(part.name + part.input);
    else if (part.kind !== "media") outputTokensEstimate += estimateTokens(part.text);
    // An empty proof is everyone's: it leads back to nobody.
    if ("proof" in part && part.proof?.data) origins.push(sealProof(part.proof));
  }
  return { usage, outputTokensEstimate, origins };
}
