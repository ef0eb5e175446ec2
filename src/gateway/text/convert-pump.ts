// Reads an upstream's event stream and writes it anew in the client's format.
import type { JsonObject } from "../../core/json.ts";
import type { OutboundReply } from "../../core/outbound.ts";
import { SseSplitter } from "../../core/sse.ts";
import type { Observed } from "../../formats/format.ts";
import type { Converted, StreamConversion } from "./conversion.ts";
import type { Tally } from "./meter/meter.ts";
import type { Piece, Pump } from "./pump.ts";
import type { Conceal } from "../vendor-fault.ts";

export interface ConvertPumpParts {
  reply: OutboundReply;
  stream: StreamConversion;
  tally: Tally;
  conceal: Conceal;
}

const encoder = new TextEncoder();

export class ConvertPump implements Pump {
  readonly #parts: ConvertPumpParts;
  readonly #splitter = new SseSplitter();
  /** Announcements wait for the first content: until then another channel may still answer. */
  #waiting = "";
  #hasBegun = false;

  constructor(parts: ConvertPumpParts) {
    this.#parts = parts;
  }

  next(ready: () => void): Piece | undefined {
    const { reply, stream, tally } = this.#parts;
    for (;;) {
      const chunk = reply.take(ready);
      if (!chunk) return undefined;
      const { value } = chunk;
      if (!value) return this.#close(stream.close());
      const block = this.#splitter.push(value);
      if (!block) continue;
      tally.push(block.bytes);
      const piece = this.#convert(block.events);
      if (piece) return piece;
    }
  }

  observed(): Observed {
    return this.#parts.stream.observed();
  }

  converted(): JsonObject | null {
    return this.#parts.stream.reply();
  }

  #convert(events: readonly { event: string | null; data: string }[]): Piece | null {
    for (const event of events) {
      const { text, hasContent, end } = this.#parts.stream.push(event);
      this.#waiting += text;
      this.#hasBegun ||= hasContent;
      if (end?.kind === "end") return { kind: "end", bytes: this.#take() };
      if (end) return this.#fault(end.message);
    }
    if (this.#waiting === "" || !this.#hasBegun) return null;
    return { kind: "bytes", bytes: this.#take() };
  }

  /** The connection is closed: the end for wires without an end marker, a break for the others. */
  #close({ text, end }: Converted): Piece {
    this.#waiting += text;
    if (end?.kind === "end") return { kind: "end", bytes: this.#take() };
    return end ? this.#fault(end.message) : { kind: "cut" };
  }

  #fault(message: string): Piece {
    const before = this.#hasBegun ? this.#take() : new Uint8Array(0);
    return { kind: "fault", bytes: before, message: this.#parts.conceal(message) };
  }

  #take(): Uint8Array {
    const bytes = encoder.encode(this.#waiting);
    this.#waiting = "";
    return bytes;
  }
}
