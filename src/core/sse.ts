// Server-sent events: cuts a byte stream into whole events without losing or copying bytes.
// Events are found on bytes and forwarded as they came; only their text is decoded to be read.

export interface SseEvent {
  event: string | null;
  data: string;
}

export interface SseBlock {
  /** Complete events, exactly as they arrived. */
  bytes: Uint8Array;
  events: SseEvent[];
}

export class SseOverflow extends Error {
  override readonly name = "SseOverflow";
}

const newline = 10;
const carriageReturn = 13;
const empty = new Uint8Array(0);
export const sseEventBytesMax = 16 * 1024 * 1024;

export class SseSplitter {
  #rest: Uint8Array = empty;
  readonly #decoder = new TextDecoder();
  readonly #eventBytesMax: number;

  constructor(eventBytesMax: number = sseEventBytesMax) {
    this.#eventBytesMax = eventBytesMax;
  }

  /** Takes the next bytes; returns the events that are now complete, or null when none is. */
  push(chunk: Uint8Array): SseBlock | null {
    const bytes = this.#rest.length === 0 ? chunk : join(this.#rest, chunk);
    const end = endOfLastEvent(bytes);
    this.#rest = end === bytes.length ? empty : bytes.subarray(end);
    if (this.#rest.length > this.#eventBytesMax) {
      throw new SseOverflow(`an event is longer than ${this.#eventBytesMax} bytes`);
    }
    if (end === 0) return null;
    const whole = end === bytes.length ? bytes : bytes.subarray(0, end);
    return { bytes: whole, events: readEvents(this.#decoder.decode(whole)) };
  }

  /** Bytes of an event that never ended. */
  get pendingBytes(): number {
    return this.#rest.length;
  }
}

/** The index behind the last blank line, whatever the line ends are. */
function endOfLastEvent(bytes: Uint8Array): number {
  for (let at = bytes.length - 1; at > 0; at--) {
    const byte = bytes[at];
    if (byte !== newline && byte !== carriageReturn) continue;
    const before = bytes[at - 1];
    if (byte === newline && before === newline) return at + 1;
    if (byte === carriageReturn && before === carriageReturn) return at + 1;
    const isCrLf = byte === newline && before === carriageReturn;
    if (isCrLf && at > 1 && (bytes[at - 2] === newline || bytes[at - 2] === carriageReturn)) {
      return at + 1;
    }
  }
  return 0;
}

export function readEvents(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  const plain = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  for (const block of plain.split("\n\n")) {
    const event = readEvent(block);
    if (event) events.push(event);
  }
  return events;
}

function readEvent(block: string): SseEvent | null {
  // Nearly every event is one data line; this spares them the general path.
  if (block.startsWith("data: ") && !block.includes("\n")) {
    return { event: null, data: block.slice(6) };
  }
  let event: string | null = null;
  let data: string | null = null;
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon === 0 || line === "") continue;
    const name = withoutMark(colon === -1 ? line : line.slice(0, colon));
    const value = colon === -1 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") data = data === null ? value : `${data}\n${value}`;
    else if (name === "event") event = value;
  }
  return data === null ? null : { event, data };
}

/** A byte order mark may stand before the very first field. */
function withoutMark(name: string): string {
  return name.charCodeAt(0) === 0xfeff ? name.slice(1) : name;
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

const encoder = new TextEncoder();

/** One event as bytes. */
export function encodeEvent(data: string, event?: string): Uint8Array {
  return encoder.encode(
    event === undefined ? `data: ${data}\n\n` : `event: ${event}\ndata: ${data}\n\n`,
  );
}

export const sseComment = encoder.encode(": keep-alive\n\n");
