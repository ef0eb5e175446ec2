// One request that is converted: the client speaks one format, the upstream another. Everything
// between the two wires goes through the neutral shapes.
import type { JsonObject } from "../../core/json.ts";
import { readEvents } from "../../core/sse.ts";
import type { Reply } from "../../formats/exchange.ts";
import type {
  ClientSide,
  Observed,
  ReplyFrame,
  TextRequest,
  UpstreamSide,
} from "../../formats/format.ts";
import {
  brings,
  isEmptyReply,
  isNoAnswer,
  isUnreadableReply,
} from "../../formats/kit/emptiness.ts";
import { foldParts } from "../../formats/kit/fold.ts";
import { sealProof } from "../../formats/kit/proof.ts";
import type { StreamDecoder, StreamEncoder, StreamPart } from "../../formats/stream-part.ts";
import { estimateTokens, laterUsage, type Usage } from "../../formats/usage.ts";
import type { SurchargeWatch } from "./surcharges.ts";
import { CallRestorer } from "./restore-calls.ts";
import { emptyAnswer, unreadableCall } from "./stream-fault.ts";

interface ConversionNeeds {
  client: ClientSide;
  upstream: UpstreamSide;
  frame: ReplyFrame;
  /** A call's own name by the alias it went out under. */
  names: ReadonlyMap<string, string>;
  /** A call's own id by the alias it went out under. */
  ids: ReadonlyMap<string, string>;
}

interface ConvertedReply {
  body: JsonObject;
  observed: Observed;
  /** The same with the usage that is charged, where that is not what the vendor told. */
  restate: Restate;
}

export type Restate = (usage: Usage) => JsonObject;

export class Conversion {
  readonly #needs: ConversionNeeds;

  constructor(needs: ConversionNeeds) {
    this.#needs = needs;
  }

  /** Null when it is not a reply of the upstream's format. */
  convertReply(body: unknown, bytes: Uint8Array): ConvertedReply | null {
    const { client, upstream, frame } = this.#needs;
    const reply = body === null ? this.#readStreamed(bytes) : upstream.decodeReply(body);
    if (!reply) return null;
    const restored = this.#restorer().restoreReply(reply);
    const observed = observe(reply);
    if (isEmptyReply(reply)) observed.isEmpty = true;
    if (isUnreadableReply(reply)) observed.isUnreadable = true;
    const restate = (usage: Usage) => client.encodeReply({ ...restored, usage }, frame);
    return { body: client.encodeReply(restored, frame), observed, restate };
  }

  /** With a watch where something was sent that costs more than its tokens. */
  convertStream(watch: SurchargeWatch | null = null): StreamConversion {
    const { client, upstream, frame } = this.#needs;
    return new StreamConversion({
      decoder: upstream.decodeStream(),
      encoder: client.encodeStream(frame),
      restorer: this.#restorer(),
      watch,
      request: frame.request,
    });
  }

  #restorer(): CallRestorer {
    const { names, ids, frame } = this.#needs;
    return new CallRestorer({ names, ids, tools: frame.exchange.tools });
  }

  /** Some upstreams stream whatever they are asked for. */
  #readStreamed(bytes: Uint8Array): Reply | null {
    const decoder = this.#needs.upstream.decodeStream();
    const events = readEvents(new TextDecoder().decode(bytes));
    return foldParts([...events.flatMap((event) => decoder.push(event)), ...decoder.close()]);
  }
}

/** One piece of the upstream's stream, turned into the client's format. */
interface Converted {
  text: string;
  /** Something of the answer itself has come, not only its announcement. */
  hasContent: boolean;
  end: { kind: "end" } | { kind: "fault"; message: string } | null;
}

interface StreamConversionNeeds {
  decoder: StreamDecoder;
  encoder: StreamEncoder;
  restorer: CallRestorer;
  watch: SurchargeWatch | null;
  request: TextRequest;
}

export class StreamConversion {
  readonly #decoder: StreamDecoder;
  readonly #watch: SurchargeWatch | null;
  readonly #encoder: StreamEncoder;
  readonly #restorer: CallRestorer;
  readonly #origins: string[] = [];
  readonly #request: TextRequest;
  #usage: Usage | null = null;
  #outputTokens = 0;
  #brings = false;
  #isEmpty = false;
  #isUnreadable = false;
  #hasThought = false;

  constructor(needs: StreamConversionNeeds) {
    const { decoder, encoder, restorer, watch } = needs;
    this.#decoder = decoder;
    this.#watch = watch;
    this.#request = needs.request;
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

  /** The end of the reply, which waits until it is known what is charged. */
  finish(usage: Usage | null): string {
    const counted = usage && this.#encoder.push({ kind: "usage", usage });
    return (counted ?? "") + this.#encode({ kind: "reply-end" });
  }

  observed(): Observed {
    const observed: Observed = {
      usage: this.#usage ?? this.#toldInput(),
      outputTokensEstimate: this.#outputTokens,
      origins: this.#origins,
    };
    if (!this.#usage) observed.isOutputUntold = true;
    if (this.#watch) observed.use = this.#watch.use;
    if (this.#isEmpty) observed.isEmpty = true;
    if (this.#isUnreadable) observed.isUnreadable = true;
    if (this.#hasThought) observed.hasThought = true;
    return observed;
  }

  /** A stream that was cut has told its input, and of its output at most that it began. */
  #toldInput(): Usage | null {
    const reported = this.#decoder.told?.();
    if (!reported) return null;
    const outputTokens = Math.max(reported.outputTokens, Math.ceil(this.#outputTokens));
    return { ...reported, outputTokens };
  }

  reply(): JsonObject | null {
    return this.#encoder.reply?.() ?? null;
  }

  #convert(parts: readonly StreamPart[]): Converted {
    const converted: Converted = { text: "", hasContent: false, end: null };
    for (const part of parts) {
      this.#note(part);
      const fault = this.#faultOf(part);
      if (fault !== null) {
        converted.end = { kind: "fault", message: fault };
        break;
      }
      if (part.kind === "reply-end") converted.end = { kind: "end" };
      else converted.text += this.#encode(part);
      if (this.#brings || isThinking(part)) converted.hasContent = true;
    }
    return converted;
  }

  /** A turn whose call could not be read has failed, whatever its client saw of it. */
  #faultOf(part: StreamPart): string | null {
    switch (part.kind) {
      case "fault":
        return part.message;
      case "choice-end":
        if (part.stop !== "malformed" || this.#request.takesAny) return null;
        if (this.#brings) return unreadableCall;
        this.#isUnreadable = true;
        return null;
      case "reply-end":
        this.#isEmpty = !this.#brings;
        return isNoAnswer(this.observed(), this.#request) ? emptyAnswer : null;
      default:
        return null;
    }
  }

  #encode(part: StreamPart): string {
    let text = "";
    for (const restored of this.#restorer.restore(part)) text += this.#encoder.push(restored);
    return text;
  }

  #note(part: StreamPart): void {
    if (!this.#brings) this.#brings = brings(part);
    this.#hasThought ||= isThinking(part);
    if (part.kind === "usage") this.#usage = laterUsage(this.#usage, part.usage);
    else if (part.kind === "block-delta") this.#outputTokens += estimateTokens(part.text);
    else if (part.kind === "block-proof" && part.proof.data !== "") {
      this.#origins.push(sealProof(part.proof));
    }
  }
}

/** Thinking behind the vendor's door may take long, and the client should see it begin. */
function isThinking(part: StreamPart): boolean {
  return part.kind === "block-start" && part.content.kind === "reasoning";
}

function observe({ usage, choices }: Reply): Observed {
  const origins: string[] = [];
  let outputTokensEstimate = 0;
  let hasThought = false;
  for (const part of choices.flatMap(({ parts }) => parts)) {
    if (part.kind === "call") outputTokensEstimate += estimateTokens(part.name + part.input);
    else if ("text" in part) outputTokensEstimate += estimateTokens(part.text);
    hasThought ||= part.kind === "reasoning";
    // An empty proof is everyone's: it leads back to nobody.
    if ("proof" in part && part.proof?.data) origins.push(sealProof(part.proof));
  }
  const observed: Observed = { usage, outputTokensEstimate, origins };
  if (hasThought) observed.hasThought = true;
  return observed;
}
