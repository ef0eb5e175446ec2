// Writes a stream of events in the framing that its client reads.
import type { GatewayError } from "../../../core/errors.ts";
import type { Framing, Observed } from "../../../formats/format.ts";
import type { Usage } from "../../../formats/usage.ts";
import { noBytes, type Piece } from "../../stream/pump.ts";
import { ArrayWriter } from "./array-writer.ts";
import { FrameWriter } from "./frame-writer.ts";
import type { Bill, TextPump } from "./text-pump.ts";

export interface EventWriter {
  readonly contentType: string;
  /** Whole events in its own framing; at the end with what closes it. */
  write(events: Uint8Array, isEnd: boolean): Uint8Array;
  /** The end of a stream that failed; `event` is how the format says so. */
  fail(error: GatewayError, event: Uint8Array): Uint8Array;
}

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
