// The head of a reply: what it says of itself, and how its body is framed. It is read byte by byte,
// because most of it is of no interest. What does not keep to the protocol is refused: two readers
// would see two different replies in it.
import { OutboundFailed } from "../outbound.ts";
import { ChunkFrames, LengthFrames, OpenFrames, type Frames } from "./body-frames.ts";

export const headBytesMax = 32 * 1024;

const statusLine = /^HTTP\/1\.[01] [1-9]\d\d(?: [^\r\n\0]*)?$/;
const usualLine = Buffer.from("HTTP/1.1 200 OK");
const lengthForm = /^\d{1,15}$/;
const carriageReturn = 13;
const lineFeed = 10;
const colon = 58;

/** Bytes that the name of a field may have. */
const isNameByte = new Uint8Array(256);
for (const byte of Buffer.from("!#$%&'*+.^_`|~-0123456789")) isNameByte[byte] = 1;
for (let letter = 65; letter <= 90; letter++) isNameByte[letter] = isNameByte[letter | 32] = 1;

/** The fields that decide where the body ends, and the one that says what it is. */
const wanted = [
  "content-type",
  "content-length",
  "transfer-encoding",
  "connection",
  "content-encoding",
] as const;
type WantedName = (typeof wanted)[number];
type FramingName = Exclude<WantedName, "content-type">;
/** No two of them are of one length, so a name is compared with one at most. */
const wantedByLength: (WantedName | undefined)[] = [];
for (const name of wanted) wantedByLength[name.length] = name;

export class ReplyHead {
  readonly status: number;
  readonly #isOld: boolean;
  readonly #bytes: Buffer;
  /** Beginning and end of the fields. */
  readonly #from: number;
  readonly #to: number;
  /** The place of the content type; 0 where none is told. */
  #typeAt = 0;
  /** In lower case; what is said several times is joined by commas. */
  readonly #said: Partial<Record<FramingName, string>> = {};
  #headers: Headers | null = null;

  /** All lines from here to there, each with its end, without the empty one behind them. */
  constructor(bytes: Buffer, from = 0, to = bytes.length) {
    const { status, isOld, end } = beginsAsUsual(bytes, from)
      ? { status: 200, isOld: false, end: from + usualLine.length }
      : readStatus(bytes, from);
    this.status = status;
    this.#isOld = isOld;
    this.#bytes = bytes;
    this.#from = end;
    this.#to = to;
    this.#readFields();
  }

  get headers(): Headers {
    return (this.#headers ??= readHeaders(this.#bytes.toString("latin1", this.#from, this.#to)));
  }

  get mediaType(): string {
    if (this.#typeAt === 0) return "";
    return readValue(this.#bytes, this.#typeAt, endOfValue(this.#bytes, this.#typeAt));
  }

  /** Only says that something better is to come. */
  get isInterim(): boolean {
    return this.status < 200;
  }

  /** The body's packing; null where it is as it came, or there is none. */
  get packing(): string | null {
    const packing = this.#said["content-encoding"];
    if (packing === undefined || packing === "identity") return null;
    return this.#isBare || this.declaredBytes === 0 ? null : packing;
  }

  /** Whether the connection lives on behind the body; not where its end is open to doubt. */
  get isKept(): boolean {
    if (this.#isAmbiguous) return false;
    const connection = this.#said.connection;
    if (this.#isOld) return connection === "keep-alive";
    if (connection === undefined || connection === "keep-alive") return true;
    return !connection.split(",").some((word) => trimmed(word) === "close");
  }

  /** Length of the body, where that is said in advance: it is then no more and no less. */
  get declaredBytes(): number | null {
    const length = this.#said["content-length"];
    if (length === undefined || this.#isBare) return null;
    if (this.#said["transfer-encoding"] !== undefined) return null;
    const single = length.includes(",") ? readRepeated(length) : length;
    if (!lengthForm.test(single)) throw malformed();
    return Number(single);
  }

  frames(): Frames {
    if (this.#isBare) return new LengthFrames(0);
    const encoding = this.#said["transfer-encoding"];
    if (encoding === "chunked") return new ChunkFrames();
    if (encoding !== undefined) throw malformed();
    const length = this.declaredBytes;
    return length === null ? new OpenFrames() : new LengthFrames(length);
  }

  /** It never has a body, whatever it says of one. */
  get #isBare(): boolean {
    return this.status === 204 || this.status === 304;
  }

  /** Others may see another end of the body than is seen here. */
  get #isAmbiguous(): boolean {
    const { "content-length": length, "transfer-encoding": encoding } = this.#said;
    if (this.#isBare) return encoding !== undefined || (length ?? "0") !== "0";
    return encoding !== undefined && (length !== undefined || this.#isOld);
  }

  #readFields(): void {
    const bytes = this.#bytes;
    for (let at = expectLineEnd(bytes, this.#from); at < this.#to;) {
      const nameAt = at;
      while (isNameByte[bytes[at] ?? 0] === 1) at++;
      if (at === nameAt || bytes[at] !== colon) throw malformed();
      const valueAt = at + 1;
      at = endOfValue(bytes, valueAt);
      const name = wantedName(bytes, nameAt, valueAt - 1 - nameAt);
      if (name === "content-type") this.#typeAt = valueAt;
      else if (name) this.#say(name, readValue(bytes, valueAt, at));
      at = expectLineEnd(bytes, at);
    }
  }

  #say(name: FramingName, value: string): void {
    const before = this.#said[name];
    this.#said[name] = before === undefined ? value : `${before},${value}`;
  }
}

/** Nearly every one does, and is known by its bytes, without a text or a match. */
function beginsAsUsual(bytes: Buffer, from: number): boolean {
  if (bytes[from + usualLine.length] !== carriageReturn) return false;
  for (let at = 0; at < usualLine.length; at++) {
    if (bytes[from + at] !== usualLine[at]) return false;
  }
  return true;
}

function readStatus(bytes: Buffer, from: number) {
  const end = bytes.indexOf(carriageReturn, from);
  const line = bytes.toString("latin1", from, end);
  const status = Number(line.slice(9, 12));
  // Nobody asked to speak anything else.
  if (!statusLine.test(line) || status === 101) throw malformed();
  return { status, isOld: line.startsWith("HTTP/1.0"), end };
}

/** The same length may be said several times. */
function readRepeated(lengths: string): string {
  const [first = "", ...others] = lengths.split(",");
  if (others.some((other) => other !== first)) throw malformed();
  return first;
}

function endOfValue(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === carriageReturn) return at;
    if (byte === lineFeed || byte === 0) break;
  }
  throw malformed();
}

/** In lower case. */
function readValue(bytes: Buffer, from: number, to: number): string {
  return trimmed(bytes.toString("latin1", from, to)).toLowerCase();
}

/**
 * Trim space and tab alone, as the protocol has it. Anything else that looks like space is part of
 * the value: a reader that takes it away sees a length where the next one sees none.
 */
function trimmed(value: string): string {
  let from = 0;
  let to = value.length;
  while (from < to && isBlank(value.charCodeAt(from))) from++;
  while (to > from && isBlank(value.charCodeAt(to - 1))) to--;
  return value.slice(from, to);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09;
}

function expectLineEnd(bytes: Buffer, at: number): number {
  if (bytes[at] !== carriageReturn || bytes[at + 1] !== lineFeed) throw malformed();
  return at + 2;
}

function wantedName(bytes: Buffer, from: number, length: number): WantedName | undefined {
  const name = wantedByLength[length];
  return name !== undefined && isSame(bytes, from, name) ? name : undefined;
}

function isSame(bytes: Buffer, from: number, name: string): boolean {
  for (let at = 0; at < name.length; at++) {
    if (((bytes[from + at] ?? 0) | 32) !== (name.charCodeAt(at) | 32)) return false;
  }
  return true;
}

function readHeaders(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split("\r\n").slice(1, -1)) {
    const end = line.indexOf(":");
    headers.append(line.slice(0, end), trimmed(line.slice(end + 1)));
  }
  return headers;
}

export function malformed(): OutboundFailed {
  return new OutboundFailed("MalformedResponse");
}
