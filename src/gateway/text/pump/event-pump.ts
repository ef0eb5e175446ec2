// Reads an upstream's event stream piece by piece and says what may go on to the client as it is.
import type { JsonObject } from "../../../core/json.ts";
import {
  encodeEvent,
  readEvents,
  SseSplitter,
  type SseBlock,
  type SseEvent,
} from "../../../core/sse.ts";
import type { Observed, StreamObserver, TextRequest } from "../../../formats/format.ts";
import type { Usage } from "../../../formats/usage.ts";
import { isNoAnswer } from "../../../formats/kit/emptiness.ts";
import type { Tally } from "../meter/meter.ts";
import { cut, noBytes, type Piece } from "../../stream/pump.ts";
import { emptyPiece, faultPiece, rawPiece, rawRest } from "../stream-fault.ts";
import type { EventSource } from "../unframe.ts";
import type { TextPump } from "./text-pump.ts";
import type { Wording } from "../../conceal.ts";

interface EventPumpNeeds {
  source: EventSource;
  observer: StreamObserver;
  tally: Tally;
  tell: Wording;
  request: TextRequest;
}

const decoder = new TextDecoder();

export class EventPump implements TextPump {
  readonly #source: EventSource;
  readonly #observer: StreamObserver;
  readonly #tally: Tally;
  readonly #tell: Wording;
  readonly #request: TextRequest;
  readonly #splitter = new SseSplitter();
  /** Events that are shown together with the first that has something. */
  #waiting: SseEvent[] = [];
  /** The end of a stream that lacks its usage: it waits until that is known. */
  #endEvents: SseEvent[] = [];
  #isEmpty = false;

  constructor({ source, observer, tally, tell, request }: EventPumpNeeds) {
    this.#source = source;
    this.#observer = observer;
    this.#tally = tally;
    this.#tell = tell;
    this.#request = request;
  }

  next(ready: () => void): Piece | undefined {
    for (;;) {
      const chunk = this.#source.take(ready);
      if (!chunk) return undefined;
      const { value } = chunk;
      if (!value) return this.#close();
      const block = this.#splitter.push(value);
      if (!block) continue;
      this.#tally.push(block.bytes);
      const mayPassUnread = this.#waiting.length === 0;
      if (mayPassUnread && this.#observer.skim(block.bytes))
        return { kind: "bytes", bytes: block.bytes };
      const piece = this.#judge(block);
      if (piece.kind !== "bytes" || piece.bytes.length > 0) return piece;
    }
  }

  observed(): Observed {
    const observed = this.#observer.observed();
    return this.#isEmpty ? { ...observed, isEmpty: true } : observed;
  }

  finish(usage: Usage | null): Uint8Array {
    const endEvents = this.#endEvents;
    const isReported = usage === this.#observer.observed().usage;
    if (usage && !isReported && this.#lacksUsage()) {
      return encode(this.#observer.endWithUsage?.(endEvents, usage) ?? endEvents);
    }
    return endEvents.length === 0 ? noBytes : encode(endEvents);
  }

  #lacksUsage(): boolean {
    return this.#observer.lacksUsage?.() === true;
  }

  unstored(): JsonObject | null {
    return this.#observer.unstored?.() ?? null;
  }

  /** The connection is closed: the end, where nothing that began is unfinished. */
  #close(): Piece {
    const raw = rawRest(this.#splitter);
    if (raw) return rawPiece(raw, noBytes, this.#tell);
    if (!this.#observer.isWhole()) return cut;
    const { ending = noBytes } = this.#observer;
    if (this.#lacksUsage()) {
      this.#endEvents = [...this.#takeWaiting(), ...readEvents(decoder.decode(ending))];
      return this.#end(noBytes);
    }
    return this.#end(Buffer.concat([encode(this.#waiting), ending]));
  }

  #end(bytes: Uint8Array): Piece {
    this.#isEmpty = this.#observer.isEmpty();
    const observed = this.observed();
    return isNoAnswer(observed, this.#request) ? emptyPiece(observed) : { kind: "end", bytes };
  }

  #judge(block: SseBlock): Piece {
    const { events } = block;
    if (events.length === 0) return { kind: "bytes", bytes: noBytes };
    // Until something is hidden or changed, the block goes on as the bytes that it is.
    let kept: SseEvent[] | null = null;
    for (const [at, event] of events.entries()) {
      if (event.isRaw) return rawPiece(event, this.#before(kept, events, at), this.#tell);
      const sighting = this.#observer.see(event);
      switch (sighting.kind) {
        case "pass":
          if (this.#waiting.length > 0) kept = this.#takeWaiting();
          kept?.push(event);
          break;
        case "hide":
          kept ??= events.slice(0, at);
          break;
        case "wait":
          kept ??= events.slice(0, at);
          this.#waiting.push(event);
          break;
        case "replace":
          kept ??= events.slice(0, at);
          kept.push({ event: event.event, data: sighting.data });
          break;
        case "end": {
          const { data = event.data } = sighting;
          if (this.#lacksUsage()) {
            this.#endEvents = [...this.#takeWaiting(), { event: event.event, data }];
            return this.#end(encode(kept ?? events.slice(0, at)));
          }
          const isAsItWas = !kept && at === events.length - 1 && data === event.data;
          if (isAsItWas) return this.#end(block.bytes);
          const last = { event: event.event, data };
          return this.#end(encode([...(kept ?? events.slice(0, at)), last]));
        }
        case "fault": {
          const bytes = this.#before(kept, events, at);
          return faultPiece({ bytes, message: sighting.message, data: event.data }, this.#tell);
        }
      }
    }
    return { kind: "bytes", bytes: kept ? encode(kept) : block.bytes };
  }

  #takeWaiting(): SseEvent[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }

  /** Events before a fault; announcements alone are not worth showing. */
  #before(kept: readonly SseEvent[] | null, events: readonly SseEvent[], at: number): Uint8Array {
    return this.#observer.isEmpty() ? noBytes : encode(kept ?? events.slice(0, at));
  }
}

function encode(events: readonly SseEvent[]): Uint8Array {
  return Buffer.concat(events.map(({ data, event }) => encodeEvent(data, event ?? undefined)));
}
