// Amazon's event stream (`application/vnd.amazon.eventstream`): binary frames with headers, a
// payload and two checksums. Cuts a byte stream into whole frames, whatever pieces it comes in, and
// writes frames. A frame is believed when both of its checksums are right.
import { crc32 } from "node:zlib";
import { assert } from "../assert.ts";
import { joinBytes } from "../sse.ts";

export interface EventFrame {
  /** Those that are text; frames have hardly any others. */
  headers: ReadonlyMap<string, string>;
  payload: Uint8Array;
}

/** Total length, length of the headers, and the checksum of these two. */
const preludeBytes = 12;
const checksumBytes = 4;
const overheadBytes = preludeBytes + checksumBytes;
const headersBytesMax = 128 * 1024;
const payloadBytesMax = 24 * 1024 * 1024;

/** Headers whose value has a length of its own: bytes and text. */
const bytesType = 6;
const textType = 7;
/** Widths of all others, by type: true, false, four integers, a time and a UUID. */
const widths: ReadonlyMap<number, number> = new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
]);

class FrameFault extends Error {
  override readonly name = "FrameFault";
}

export class FrameSplitter {
  /** The unfinished frame: room for its prelude, and once that is known for all of it. */
  #held = new Uint8Array(preludeBytes);
  #heldBytes = 0;
  #fault: string | null = null;

  /** Takes the next bytes; returns the frames that are now complete, up to the first broken one. */
  push(chunk: Uint8Array): EventFrame[] {
    const frames: EventFrame[] = [];
    let rest = chunk;
    try {
      while (rest.length > 0 && this.#fault === null) {
        const bytes = this.#heldBytes === 0 ? wholeFrame(rest) : null;
        if (bytes) frames.push(readFrame(bytes));
        rest = bytes ? rest.subarray(bytes.length) : this.#hold(rest, frames);
      }
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      this.#fault = error.message;
    }
    return frames;
  }

  /** The reason why nothing that follows can be read; null while all is well. */
  get fault(): string | null {
    return this.#fault;
  }

  /** Bytes of a frame that has not ended. */
  get pendingBytes(): number {
    return this.#heldBytes;
  }

  /** Copies what the unfinished frame lacks; returns what is left. */
  #hold(bytes: Uint8Array, frames: EventFrame[]): Uint8Array {
    const part = bytes.subarray(0, this.#held.length - this.#heldBytes);
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes += part.length;
    if (this.#heldBytes === this.#held.length) this.#fill(frames);
    return bytes.subarray(part.length);
  }

  #fill(frames: EventFrame[]): void {
    if (this.#heldBytes > preludeBytes) {
      const frame = readFrame(this.#held);
      this.#held = new Uint8Array(preludeBytes);
      this.#heldBytes = 0;
      frames.push(frame);
      return;
    }
    const whole = new Uint8Array(frameBytes(this.#held));
    whole.set(this.#held);
    this.#held = whole;
  }
}

/** The frame that these bytes begin with; null where more of it is to come. */
function wholeFrame(bytes: Uint8Array): Uint8Array | null {
  if (bytes.length < preludeBytes) return null;
  const length = frameBytes(bytes);
  return bytes.length < length ? null : bytes.subarray(0, length);
}

/** Proven by the prelude's checksum: nobody waits for bytes that a flipped bit asks for. */
function frameBytes(bytes: Uint8Array): number {
  const view = viewOf(bytes);
  const [total, headers] = [view.getUint32(0), view.getUint32(4)];
  if (view.getUint32(8) !== crc32(bytes.subarray(0, 8))) {
    throw new FrameFault("the checksum of a frame's prelude is wrong");
  }
  if (headers > headersBytesMax || total > headers + payloadBytesMax + overheadBytes) {
    throw new FrameFault("a frame is too long");
  }
  if (total < headers + overheadBytes) throw new FrameFault("a frame is shorter than its headers");
  return total;
}

function readFrame(bytes: Uint8Array): EventFrame {
  const view = viewOf(bytes);
  const end = bytes.length - checksumBytes;
  if (view.getUint32(end) !== crc32(bytes.subarray(0, end))) {
    throw new FrameFault("the checksum of a frame is wrong");
  }
  const headersEnd = preludeBytes + view.getUint32(4);
  return {
    headers: readHeaders(bytes.subarray(preludeBytes, headersEnd)),
    payload: bytes.subarray(headersEnd, end),
  };
}

/** A mark of the byte order is a character like any other here. */
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

function readHeaders(bytes: Uint8Array): Map<string, string> {
  const view = viewOf(bytes);
  const headers = new Map<string, string>();
  let at = 0;
  /** Place of the next bytes. */
  const take = (length: number): number => {
    const from = at;
    at += length;
    if (at > bytes.length) throw new FrameFault("a header is longer than its frame");
    return from;
  };
  while (at < bytes.length) {
    const nameFrom = take(view.getUint8(take(1)));
    const name = decoder.decode(bytes.subarray(nameFrom, at));
    const type = view.getUint8(take(1));
    const hasLength = type === bytesType || type === textType;
    const width = hasLength ? view.getUint16(take(2)) : widths.get(type);
    if (width === undefined) throw new FrameFault("a header has an unknown type");
    const valueFrom = take(width);
    if (type === textType) headers.set(name, decoder.decode(bytes.subarray(valueFrom, at)));
  }
  return headers;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

const encoder = new TextEncoder();

/** One frame as bytes, with headers of text. */
export function encodeFrame(
  headers: Readonly<Record<string, string>>,
  payload: Uint8Array,
): Uint8Array {
  const lines = joinBytes(Object.entries(headers).map(([name, value]) => headerBytes(name, value)));
  const frame = new Uint8Array(overheadBytes + lines.length + payload.length);
  const view = viewOf(frame);
  view.setUint32(0, frame.length);
  view.setUint32(4, lines.length);
  view.setUint32(8, crc32(frame.subarray(0, 8)));
  frame.set(lines, preludeBytes);
  frame.set(payload, preludeBytes + lines.length);
  const end = frame.length - checksumBytes;
  view.setUint32(end, crc32(frame.subarray(0, end)));
  return frame;
}

function headerBytes(name: string, value: string): Uint8Array {
  const [nameBytes, valueBytes] = [encoder.encode(name), encoder.encode(value)];
  assert(nameBytes.length < 256 && valueBytes.length < 65_536, "a header is too long");
  const lengths = new Uint8Array([textType, valueBytes.length >> 8, valueBytes.length & 255]);
  return joinBytes([new Uint8Array([nameBytes.length]), nameBytes, lengths, valueBytes]);
}
