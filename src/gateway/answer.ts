// Answers that flows give back. Only http/ turns one into a response of the platform.
import type { Take } from "../core/later.ts";

/** Bytes on demand: asked for one piece at a time, so that a slow reader slows the source. */
export interface ByteSource {
  /** Null at the end. */
  take: Take<Uint8Array | null>;
  /** The reader is gone. */
  cancel(): void;
  /** The process is ending: the reader gets a last word instead of a broken connection. */
  interrupt(): void;
  /** False while what was pulled so far ends in the midst of something. */
  readonly isWhole?: boolean;
}

/** One whose bytes are all there. */
export class ReadySource implements ByteSource {
  #bytes: Uint8Array | null;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  take(): Uint8Array | null {
    const bytes = this.#bytes;
    this.#bytes = null;
    return bytes;
  }

  cancel(): void {}

  interrupt(): void {}
}

export interface Answer {
  status: number;
  contentType: string;
  headers?: Readonly<Record<string, string>>;
  /** Cookie that is set besides the one among the headers. */
  cookie?: string;
  /** A blob is a file, which the platform sends by itself, with its length. */
  body: string | Uint8Array | Blob | ByteSource;
  /** Length of a source, where it is known: for those who ask for the head alone. */
  bytes?: number;
}

/** To a client that has left: nobody reads it. */
export const leftAnswer: Answer = { status: 499, contentType: "text/plain", body: "" };

export function jsonAnswer(body: unknown, status = 200): Answer {
  return { status, contentType: "application/json", body: JSON.stringify(body) };
}
