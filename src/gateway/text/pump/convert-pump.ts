// Reads an upstream's event stream and writes it anew in the client's format.
import type { JsonObject } from "../../../core/json.ts";
import { SseSplitter, type SseEvent } from "../../../core/sse.ts";
import type { Observed } from "../../../formats/format.ts";
import type { Usage } from "../../../formats/usage.ts";
import type { StreamConversion } from "../conversion.ts";
import type { Tally } from "../meter/meter.ts";
import { cut, noBytes, type Piece } from "../../stream/pump.ts";
import { emptyAnswer, emptyPiece, faultPiece, rawPiece, rawRest } from "../stream-fault.ts";
import type { EventSource } from "../unframe.ts";
import type { TextPump } from "./text-pump.ts";
import type { Wording } from "../../conceal.ts";

interface ConvertPumpNeeds {
  source: EventSource;
  stream: StreamConversion;
  tally: Tally;
  tell: Wording;
}

const encoder = new TextEncoder();

export class ConvertPump implements TextPump {
  readonly #needs: ConvertPumpNeeds;
  readonly #splitter = new SseSplitter();
  /** Announcements wait for the first content: until then another channel may still answer. */
  #waiting = "";
  #hasBegun = false;

  constructor(needs: ConvertPumpNeeds) {
    this.#needs = needs;
  }

  next(ready: () => void): Piece | undefined {
    const { source, tally } = this.#needs;
    for (;;) {
      const chunk = source.take(ready);
      if (!chunk) return undefined;
      const { value } = chunk;
      if (!value) return this.#close();
      const block = this.#splitter.push(value);
      if (!block) continue;
      tally.push(block.bytes);
      const piece = this.#convert(block.events);
      if (piece) return piece;
    }
  }

  observed(): Observed {
    return this.#needs.stream.observed();
  }

  finish(usage: Usage | null): Uint8Array {
    return encoder.encode(this.#needs.stream.finish(usage));
  }

  unstored(): JsonObject | null {
    return this.#needs.stream.reply();
  }

  #convert(events: readonly SseEvent[]): Piece | null {
    for (const event of events) {
      if (event.isRaw) return rawPiece(event, this.#before(), this.#needs.tell);
      const { text, hasContent, end } = this.#needs.stream.push(event);
      this.#waiting += text;
      this.#hasBegun ||= hasContent;
      if (end?.kind === "end") return { kind: "end", bytes: this.#take() };
      if (end) return this.#fault(end.message, event.data);
    }
    if (this.#waiting === "" || !this.#hasBegun) return null;
    return { kind: "bytes", bytes: this.#take() };
  }

  /** The connection is closed: the end, where nothing that began is unfinished. */
  #close(): Piece {
    const raw = rawRest(this.#splitter);
    if (raw) return rawPiece(raw, this.#before(), this.#needs.tell);
    const { text, end } = this.#needs.stream.close();
    this.#waiting += text;
    if (end?.kind === "end") return { kind: "end", bytes: this.#take() };
    return end ? this.#fault(end.message) : cut;
  }

  #fault(message: string, data?: string): Piece {
    const bytes = this.#before();
    if (message === emptyAnswer) return emptyPiece(this.observed(), bytes);
    const faultData = data === undefined ? {} : { data };
    return faultPiece({ bytes, message, ...faultData }, this.#needs.tell);
  }

  #before(): Uint8Array {
    return this.#hasBegun ? this.#take() : noBytes;
  }

  #take(): Uint8Array {
    const bytes = encoder.encode(this.#waiting);
    this.#waiting = "";
    return bytes;
  }
}
