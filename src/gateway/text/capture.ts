// Holds on to what a client said and got, for keys whose contents are kept, and to both sides of a
// request that somebody wants to see. No other request makes one of these.
import type { JsonObject } from "../../core/json.ts";
import { joinBytes } from "../../core/sse.ts";
import type { Format } from "../../formats/format.ts";
import type { Caller } from "../../identity/caller.ts";
import type { Captures } from "../../observe/capture/captures.ts";
import type { CapturedContent, CaptureOrder } from "../../observe/capture/order.ts";
import { noBytes, type Piece } from "../stream/pump.ts";
import type { Tally } from "./meter/tally.ts";
import { readReplyTexts, readRequestTexts } from "./meter/texts.ts";
import type { TextPump } from "./pump/text-pump.ts";

/** Limit of an answer as it came, in which its text is but a part. */
const bytesMax = 2 * 1024 * 1024;

export interface ContentNeeds {
  /** Prompts and answers are kept of the keys that say so. */
  isLogged: boolean;
  captures: Pick<Captures, "isOn" | "find">;
}

interface Said {
  caller: Caller;
  format: Format;
  body: JsonObject;
  model: string;
}

/** Null where nobody wants to know, which is nearly always. */
export function openCapture(
  { isLogged, captures }: ContentNeeds,
  { caller, format, body, model }: Said,
): TextCapture | null {
  const order = captures.isOn ? captures.find(caller, model) : null;
  if (!order && !(isLogged && caller.logsContent)) return null;
  return new TextCapture(format, body, order);
}

export class TextCapture {
  readonly #format: Format;
  readonly prompt: readonly string[];
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  #heard: Uint8Array[] = [];
  #heardBytes = 0;
  #upstream: { channel: string; format: Format; request: string } | null = null;
  readonly #body: string;
  /** The order for both sides of it, if somebody placed one. */
  readonly order: CaptureOrder | null;
  isCut = false;

  constructor(format: Format, body: JsonObject, order: CaptureOrder | null) {
    this.#format = format;
    this.order = order;
    // At once: on its way to an upstream a body may be changed.
    this.prompt = readRequestTexts(format, body);
    this.#body = order ? JSON.stringify(body) : "";
  }

  /** Note the body sent to an upstream; of several attempts the last counts. */
  sent(channel: string, format: Format, request: string): void {
    if (!this.order) return;
    this.#upstream = { channel, format, request };
    this.#heard = [];
    this.#heardBytes = 0;
  }

  /** Note an upstream's answer, where it is written anew for the client. */
  heard(bytes: Uint8Array): void {
    if (!this.order) return;
    this.#heardBytes += bytes.length;
    if (this.#heardBytes <= bytesMax) this.#heard.push(bytes);
  }

  push(bytes: Uint8Array): void {
    if (this.#bytes + bytes.length > bytesMax) this.isCut = true;
    if (this.isCut) return;
    this.#bytes += bytes.length;
    this.#pieces.push(bytes);
  }

  take(piece: Piece): void {
    if (piece.kind !== "cut") this.push(piece.bytes);
  }

  /** The answer, as texts. */
  get answer(): string[] {
    const { whole, streamed } = readReplyTexts(this.#format, joinBytes(this.#pieces));
    return streamed === "" ? whole : [...whole, streamed];
  }

  get both(): CapturedContent {
    const answer = decode(this.#format, this.#pieces);
    const cut = this.isCut || this.#heardBytes > bytesMax;
    return { request: this.#body, answer, upstream: this.#otherSide(), cut };
  }

  #otherSide(): CapturedContent["upstream"] {
    if (!this.#upstream) return null;
    const { channel, format, request } = this.#upstream;
    return { channel, request, answer: decode(format, this.#heard) };
  }
}

/** The tally, with what is counted listened to. */
export function overheard(tally: Tally, capture: TextCapture): Tally {
  return {
    push(bytes) {
      capture.heard(bytes);
      tally.push(bytes);
    },
    count: () => tally.count(),
    drop: () => tally.drop(),
  };
}

/** The pump, with each of its pieces looked at as it passes. */
export function captured(pump: TextPump, capture: TextCapture): TextPump {
  return {
    next(ready) {
      const piece = pump.next(ready);
      if (piece) capture.take(piece);
      return piece;
    },
    get isWhole() {
      return pump.isWhole !== false;
    },
    observed: () => pump.observed(),
    finish(usage, bill) {
      const bytes = pump.finish?.(usage, bill) ?? noBytes;
      capture.push(bytes);
      return bytes;
    },
    unstored: () => pump.unstored?.() ?? null,
    close: async () => await pump.close?.(),
  };
}

/** A body as it came. Of events the text alone, because a secret could hide between two of them. */
function decode(format: Format, pieces: readonly Uint8Array[]): string | null {
  if (pieces.length === 0) return null;
  const bytes = joinBytes(pieces);
  if (bytes[0] === braceCode) return new TextDecoder().decode(bytes);
  const { whole, streamed } = readReplyTexts(format, bytes);
  return [...whole, streamed].join("\n");
}

const braceCode = "{".charCodeAt(0);
