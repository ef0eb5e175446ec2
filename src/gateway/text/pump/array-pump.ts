// Writes a stream of events as one JSON array, for clients of Google's wire that did not ask for
// events.
import { readEvents } from "../../../core/sse.ts";
import type { Observed } from "../../../formats/format.ts";
import type { Usage } from "../../../formats/usage.ts";
import { noBytes, type Piece } from "../../stream/pump.ts";
import type { Bill } from "../../bill.ts";
import type { TextPump } from "./text-pump.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class ArrayPump implements TextPump {
  readonly #inner: TextPump;
  readonly #writer = new ArrayWriter();

  constructor(inner: TextPump) {
    this.#inner = inner;
  }

  next(ready: () => void): Piece | undefined {
    const piece = this.#inner.next(ready);
    return piece && this.reframe(piece);
  }

  observed(): Observed {
    return this.#inner.observed();
  }

  reframe(piece: Piece): Piece {
    if (piece.kind === "cut") return piece;
    return { ...piece, bytes: this.#writer.write(piece.bytes, false) };
  }

  finish(usage: Usage | null, bill: Bill): Uint8Array {
    return this.#writer.write(this.#inner.finish?.(usage, bill) ?? noBytes, true);
  }

  /** An error's event as the array's last element. */
  endWith(error: Uint8Array): Uint8Array {
    return this.#writer.write(error, true);
  }
}

class ArrayWriter {
  #isOpen = false;

  write(events: Uint8Array, isEnd: boolean): Uint8Array {
    let text = "";
    for (const { data } of readEvents(decoder.decode(events))) {
      text += (this.#isOpen ? ",\n" : "[") + data;
      this.#isOpen = true;
    }
    if (isEnd) text += this.#isOpen ? "\n]" : "[]";
    return encoder.encode(text);
  }
}
