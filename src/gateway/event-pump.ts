// Reads an upstream's event stream piece by piece and says what may go on to the client.
import type { OutboundReply } from "../core/outbound.ts";
import { encodeEvent, SseSplitter, type SseBlock, type SseEvent } from "../core/sse.ts";
import type { StreamObserver } from "../formats/format.ts";

export type Piece =
  | { kind: "bytes"; bytes: Uint8Array }
  /** The protocol's end marker was seen; the bytes include it. */
  | { kind: "end"; bytes: Uint8Array }
  /** The vendor reported an error; the bytes came before it. */
  | { kind: "fault"; bytes: Uint8Array; message: string }
  /** The stream ended without its end marker. */
  | { kind: "cut" };

/** Takes credentials out of a vendor's words. */
export type Conceal = (text: string) => string;

export class EventPump {
  readonly #reply: OutboundReply;
  readonly #observer: StreamObserver;
  readonly #conceal: Conceal;
  readonly #splitter = new SseSplitter();

  constructor(reply: OutboundReply, observer: StreamObserver, conceal: Conceal) {
    this.#reply = reply;
    this.#observer = observer;
    this.#conceal = conceal;
  }

  /** The next piece that has something for the client. */
  async next(): Promise<Piece> {
    for (;;) {
      const { value } = await this.#reply.read();
      if (!value) return { kind: "cut" };
      const block = this.#splitter.push(value);
      if (!block) continue;
      if (this.#observer.skim(block.bytes)) return { kind: "bytes", bytes: block.bytes };
      const piece = this.#judge(block);
      if (piece.kind !== "bytes" || piece.bytes.length > 0) return piece;
    }
  }

  #judge(block: SseBlock): Piece {
    const { events } = block;
    if (events.length === 0) return { kind: "bytes", bytes: nothing };
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
          const isLast = at === events.length - 1;
          if (!kept && isLast) return { kind: "end", bytes: block.bytes };
          return { kind: "end", bytes: encode([...(kept ?? events.slice(0, at)), event]) };
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

const nothing = new Uint8Array(0);

function encode(events: readonly SseEvent[]): Uint8Array {
  return Buffer.concat(events.map(({ data, event }) => encodeEvent(data, event ?? undefined)));
}
