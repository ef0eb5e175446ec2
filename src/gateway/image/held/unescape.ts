// The text of a JSON string, piece by piece, from between its quotes. Base64 is most of what comes
// through here, with `\/` for its slashes at the most, so runs without escapes are copied whole.
import { JsonError } from "../../../core/json.ts";
import { joinBytes } from "../../../core/sse.ts";

const backslash = 92;
const none = new Uint8Array(0);
/** A surrogate pair: two `\uXXXX` that are one letter together. */
const escapeBytesMax = 12;
const replacement = 0xfffd;

const short: ReadonlyMap<number | undefined, number> = new Map(
  Object.entries({
    '"': '"',
    "\\": "\\",
    "/": "/",
    b: "\b",
    f: "\f",
    n: "\n",
    r: "\r",
    t: "\t",
  }).map(([letter, means]) => [letter.charCodeAt(0), means.charCodeAt(0)]),
);

export class Unescaper {
  /** An escape that is not there as a whole yet. */
  #waiting: Uint8Array = none;
  #isBase64 = true;
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });

  /** True while no piece so far has had a letter that no base64 has. */
  get isBase64(): boolean {
    return this.#isBase64;
  }

  /** The text of the bytes between the quotes, as far as it is certain. */
  push(piece: Uint8Array): Uint8Array {
    const bytes = this.#waiting.length === 0 ? piece : joinBytes([this.#waiting, piece]);
    this.#waiting = none;
    return this.#take(bytes, false);
  }

  end(): Uint8Array {
    const bytes = this.#waiting;
    this.#waiting = none;
    const last = this.#take(bytes, true);
    this.#check(() => this.#utf8.decode());
    return last;
  }

  #take(bytes: Uint8Array, isEnd: boolean): Uint8Array {
    const first = bytes.indexOf(backslash);
    const text = first === -1 ? bytes : this.#unescape(bytes, first, isEnd);
    if (this.#isBase64 && isBase64(text)) return text;
    this.#isBase64 = false;
    if (controls.test(toLatin1(bytes))) throw invalid();
    // An escaped letter is whole in itself and never in the midst of another.
    this.#check(() => this.#utf8.decode(text, { stream: true }));
    return text;
  }

  #unescape(bytes: Uint8Array, first: number, isEnd: boolean): Uint8Array {
    // The meaning of an escape is never longer than the escape.
    const text = new Uint8Array(bytes.length);
    let length = 0;
    let from = 0;
    for (let at = first; at !== -1; at = bytes.indexOf(backslash, from)) {
      text.set(bytes.subarray(from, at), length);
      length += at - from;
      const escape = readEscape(bytes, at, isEnd);
      if (!escape) {
        this.#waiting = bytes.slice(at);
        return text.subarray(0, length);
      }
      text.set(escape.means, length);
      length += escape.means.length;
      from = at + escape.length;
    }
    text.set(bytes.subarray(from), length);
    return text.subarray(0, length + bytes.length - from);
  }

  #check(decode: () => void): void {
    try {
      decode();
    } catch {
      throw invalid();
    }
  }
}

interface Escape {
  means: Uint8Array;
  /** In the JSON. */
  length: number;
}

/** Null when more has to come before it can be told. */
function readEscape(bytes: Uint8Array, at: number, isEnd: boolean): Escape | null {
  if (bytes.length - at < escapeBytesMax && !isEnd && !isShort(bytes, at)) return null;
  const letter = short.get(bytes[at + 1]);
  if (letter !== undefined) return { means: Uint8Array.of(letter), length: 2 };
  const unit = readUnit(bytes, at);
  if (unit === null) throw invalid();
  const low = isHigh(unit) ? readUnit(bytes, at + 6) : null;
  if (low !== null && isLow(low)) {
    return { means: encode(String.fromCharCode(unit, low)), length: 12 };
  }
  const isLone = isHigh(unit) || isLow(unit);
  return { means: encode(String.fromCharCode(isLone ? replacement : unit)), length: 6 };
}

function isShort(bytes: Uint8Array, at: number): boolean {
  return short.has(bytes[at + 1]);
}

/** The four digits of a `\uXXXX`, or null when there is none. */
function readUnit(bytes: Uint8Array, at: number): number | null {
  const text = toLatin1(bytes.subarray(at, at + 6));
  const digits = /^\\u([0-9a-fA-F]{4})$/.exec(text)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

const others = /[^A-Za-z0-9+/=_-]/;
/** Characters outside those that a byte can stand for. */
const controls = /[^ -\xff]/;

function isBase64(bytes: Uint8Array): boolean {
  return !others.test(toLatin1(bytes));
}

function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function invalid(): JsonError {
  return new JsonError("body is not valid JSON");
}
