// Writes a stream of events in the framing that its client reads.
import type { Framing, Observed } from "../../../formats/format.ts";
import type { Usage } from "../../../formats/usage.ts";
import { noBytes, type Piece } from "../../stream/pump.ts";
import { ArrayWriter } from "./array-writer.ts";
import type { EventWriter } from "./event-writer.ts";
import { FrameWriter } from "./frame-writer.ts";
import type { Bill } from "../../bill.ts";
import type { TextPump } from "./text-pump.ts";

/** Null where events are what is wanted. */
export function writerFor(framing: Framing): EventWriter | null {
  switch (framing) {
    case "events":
      return null;
    case "array":
      return new ArrayWriter();
    case "frames":
      return new FrameWriter();
  }
}

export class ReframePump implements TextPump {
  readonly #inner: TextPump;
  readonly #writer: EventWriter;

  constructor(inner: TextPump, writer: EventWriter) {
    this.#inner = inner;
    this.#writer = writer;
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
}
