// Reads an upstream's event stream and writes it anew in the client's format.
import type { JsonObject } from "../../core/json.ts";
import type { OutboundReply } from "../../core/outbound.ts";
import { SseSplitter } from "../../core/sse.ts";
import type { Observed } from "../../formats/format.ts";
import type { Converted, StreamConversion } from "./conversion.ts";
import type { Tally } from "./meter/meter.ts";
import { cut, noBytes, type Piece } from "../stream/pump.ts";
import type { TextPump } from "./text-pump.ts";
import type { Conceal } from "../conceal.ts";

interface ConvertPumpNeeds {
  reply: OutboundReply;
  stream: StreamConversion;
  tally: Tally;
  conceal: Conceal;
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
    const { reply, stream, tally } = this.#needs;
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
    return this.#needs.stream.observed();
  }

  converted(): JsonObject | null {
    return this.#needs.stream.reply();
  }

  #convert(events: readonly { event: string | null; data: string }[]): Piece | null {
    for (const event of events) {
      const { text, hasContent, end } = this.#needs.stream.push(event);
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
    return end ? this.#fault(end.message) : cut;
  }

  #fault(message: string): Piece {
    const before = this.#hasBegun ? this.#take() : noBytes;
    return { kind: "fault", bytes: before, message: this.#needs.conceal(message) };
  }

  #take(): Uint8Array {
    const bytes = encoder.encode(this.#waiting);
    this.#waiting = "";
    return bytes;
  }
}
