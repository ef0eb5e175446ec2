// Holds on to what a client said and got, for keys whose contents are kept. No other request makes
// one of these.
import type { JsonObject } from "../../core/json.ts";
import { joinBytes } from "../../core/sse.ts";
import type { Format } from "../../formats/format.ts";
import type { Piece } from "../stream/pump.ts";
import { readReplyTexts, readRequestTexts } from "./meter/texts.ts";
import type { TextPump } from "./text-pump.ts";

/** Of an answer as it came, in which its text is but a part. */
const bytesMax = 2 * 1024 * 1024;

export class TextCapture {
  readonly #format: Format;
  readonly prompt: readonly string[];
  #pieces: Uint8Array[] = [];
  #bytes = 0;
  isCut = false;

  constructor(format: Format, body: JsonObject) {
    this.#format = format;
    // At once: on its way to an upstream a body may be changed.
    this.prompt = readRequestTexts(format, body);
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

  /** What it was answered, as texts. */
  get answer(): string[] {
    const { whole, streamed } = readReplyTexts(this.#format, joinBytes(this.#pieces));
    return streamed === "" ? whole : [...whole, streamed];
  }
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
    unstored: () => pump.unstored?.() ?? null,
    close: async () => await pump.close?.(),
  };
}
