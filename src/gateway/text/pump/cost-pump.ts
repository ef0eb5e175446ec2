// Tells what an answer cost in the usage that the client reads, where it asked for that: the way
// OpenRouter's clients know it (`usage.cost`, in US dollars).
import { isObject, parseJson, type JsonObject } from "../../../core/json.ts";
import { encodeEvent, readEvents, sseComment, type SseEvent } from "../../../core/sse.ts";
import type { Observed } from "../../../formats/format.ts";
import type { Usage } from "../../../formats/usage.ts";
import { cut, noBytes, type Piece } from "../../stream/pump.ts";
import { noBill, type Bill } from "../../bill.ts";
import type { TextPump } from "./text-pump.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const microsPerDollar = 1_000_000;

/** A whole reply with its cost, in the words of its format. */
export function withCost(reply: JsonObject, bill: Bill): JsonObject {
  const { charged, saved } = bill;
  for (const name of ["usage", "usageMetadata"]) {
    const reported = reply[name];
    if (!isObject(reported)) continue;
    const { cost_details: _vendors, ...usage } = reported;
    const cost = charged / microsPerDollar;
    return { ...reply, [name]: { ...usage, cost, cache_discount: saved / microsPerDollar } };
  }
  const { response } = reply;
  if (!isObject(response)) return reply;
  const billedReply = withCost(response, bill);
  return billedReply === response ? reply : { ...reply, response: billedReply };
}

/** Holds back the last event that tells usage, and what follows it, until the charge is known. */
export class CostPump implements TextPump {
  readonly #inner: TextPump;
  #held: SseEvent[] = [];
  #isCut = false;

  constructor(inner: TextPump) {
    this.#inner = inner;
  }

  next(ready: () => void): Piece | undefined {
    for (;;) {
      const piece = this.#isCut ? cut : this.#inner.next(ready);
      if (!piece) return undefined;
      const shown = this.#hold(piece);
      if (shown.kind !== "bytes" || shown.bytes.length > 0) return shown;
    }
  }

  /** The first piece, which was taken before anybody knew of this pump. */
  reframe(piece: Piece): Piece {
    const shown = this.#hold(piece);
    const isNothing = shown.kind === "bytes" && shown.bytes.length === 0;
    return isNothing ? { kind: "bytes", bytes: sseComment } : shown;
  }

  observed(): Observed {
    return this.#inner.observed();
  }

  finish(usage: Usage | null, bill: Bill): Uint8Array {
    const ending = this.#inner.finish?.(usage, bill) ?? noBytes;
    const events = [...this.#held, ...readEvents(decoder.decode(ending))];
    const at = events.findLastIndex(tellsUsage);
    return encode(events.map((event, index) => (index === at ? billed(event, bill) : event)));
  }

  unstored(): JsonObject | null {
    return this.#inner.unstored?.() ?? null;
  }

  async close(): Promise<void> {
    await this.#inner.close?.();
  }

  #hold(piece: Piece): Piece {
    if (piece.kind === "cut") return this.#cut();
    const events = [...this.#held, ...readEvents(decoder.decode(piece.bytes))];
    const at = piece.kind === "fault" ? -1 : events.findLastIndex(tellsUsage);
    const end = at === -1 ? events.length : at;
    this.#held = events.slice(end);
    return { ...piece, bytes: encode(events.slice(0, end)) };
  }

  #cut(): Piece {
    this.#isCut = true;
    const bytes = encode(this.#held);
    this.#held = [];
    return bytes.length === 0 ? cut : { kind: "bytes", bytes };
  }
}

function tellsUsage({ data }: SseEvent): boolean {
  const body = readObject(data);
  return body !== null && withCost(body, noBill) !== body;
}

function billed({ event, data }: SseEvent, bill: Bill): SseEvent {
  const body = readObject(data);
  return { event, data: body ? JSON.stringify(withCost(body, bill)) : data };
}

/** Most events tell no usage, and are not parsed. */
function readObject(data: string): JsonObject | null {
  if (!data.includes('"usage')) return null;
  try {
    const body = parseJson(encoder.encode(data));
    return isObject(body) ? body : null;
  } catch {
    // No JSON: it passes as it came.
    return null;
  }
}

function encode(events: readonly SseEvent[]): Uint8Array {
  return Buffer.concat(events.map(({ data, event }) => encodeEvent(data, event ?? undefined)));
}
