// Reads an upstream's event stream piece by piece and says what may go on to the client as it is.
import type { OutboundReply } from "../../core/outbound.ts";
import { encodeEvent, SseSplitter, type SseBlock, type SseEvent } from "../../core/sse.ts";
import type { Observed, StreamObserver } from "../../formats/format.ts";
import type { Tally } from "./meter/meter.ts";
import { cut, noBytes, type Piece } from "../stream/pump.ts";
import type { TextPump } from "./text-pump.ts";
import type { Conceal } from "../conceal.ts";

interface EventPumpNeeds {
  reply: OutboundReply;
  observer: StreamObserver;
  tally: Tally;
  conceal: Conceal;
}

export class EventPump implements TextPump {
  readonly #reply: OutboundReply;
  readonly #observer: StreamObserver;
  readonly #tally: Tally;
  readonly #conceal: Conceal;
  readonly #splitter = new SseSplitter();

  constructor({ reply, observer, tally, conceal }: EventPumpNeeds) {
    this.#reply = reply;
    this.#observer = observer;
    this.#tally = tally;
    this.#conceal = conceal;
  }

  next(ready: () => void): Piece | undefined {
    for (;;) {
      const chunk = this.#reply.take(ready);
      if (!chunk) return undefined;
      const { value } = chunk;
      if (!value) return this.#observer.isWhole() ? { kind: "end", bytes: noBytes } : cut;
      const block = this.#splitter.push(value);
      if (!block) continue;
      this.#tally.push(block.bytes);
      if (this.#observer.skim(block.bytes)) return { kind: "bytes", bytes: block.bytes };
      const piece = this.#judge(block);
      if (piece.kind !== "bytes" || piece.bytes.length > 0) return piece;
    }
  }

  observed(): Observed {
    return this.#observer.observed();
  }

  #judge(block: SseBlock): Piece {
    const { events } = block;
    if (events.length === 0) return { kind: "bytes", bytes: noBytes };
    // Until something is hidden or changed, the block goes on as the bytes that it is.
    let kept: SseEvent[] | null = null;
    for (const [at, event] of events.entries()) {
      const sighting = this.#observer.see(event);
      switch (sighting.kind) {
        case "pass":
          kept?.push(event);
          break;
        case "hide":
          kept ??= events.slice(0, at);
          break;
        case "replace":
          kept ??= events.slice(0, at);
          kept.push({ event: event.event, data: sighting.data });
          break;
        case "end": {
          const { data = event.data } = sighting;
          const isAsItWas = !kept && at === events.length - 1 && data === event.data;
          if (isAsItWas) return { kind: "end", bytes: block.bytes };
          const last = { event: event.event, data };
          return { kind: "end", bytes: encode([...(kept ?? events.slice(0, at)), last]) };
        }
        case "fault": {
          const before = encode(kept ?? events.slice(0, at));
          return { kind: "fault", bytes: before, message: this.#conceal(sighting.message) };
        }
      }
    }
    return { kind: "bytes", bytes: kept ? encode(kept) : block.bytes };
  }
}

function encode(events: readonly SseEvent[]): Uint8Array {
  return Buffer.concat(events.map(({ data, event }) => encodeEvent(data, event ?? undefined)));
}
