// The head of a reply: what it says of itself, and how its body is framed. What does not keep to
// the protocol is refused, because two readers would see two different replies in it.
import { OutboundFailed } from "../outbound.ts";
import { ChunkFrames, LengthFrames, noFrames, OpenFrames, type Frames } from "./body-frames.ts";

export const headBytesMax = 64 * 1024;

const form =
  /^HTTP\/1\.[01] [1-9]\d\d(?: [^\r\n\0]*)?\r\n(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n\0]*\r\n)*$/;

export class ReplyHead {
  readonly status: number;
  readonly #text: string;
  readonly #lowered: string;
  #headers: Headers | null = null;

  /** All lines, each with its end, without the empty one behind them. */
  constructor(text: string) {
    if (!form.test(text)) throw malformed();
    this.#text = text;
    this.#lowered = text.toLowerCase();
    this.status = Number(text.slice(9, 12));
  }

  get headers(): Headers {
    return (this.#headers ??= readHeaders(this.#text));
  }

  /** The values of a header in lower case, joined by commas; null without any. */
  value(name: string): string | null {
    const text = this.#lowered;
    const line = `\r\n${name}:`;
    let found: string | null = null;
    for (let at = text.indexOf(line); at !== -1; at = text.indexOf(line, at + 2)) {
      const one = text.slice(at + line.length, text.indexOf("\r\n", at + 2)).trim();
      found = found === null ? one : `${found},${one}`;
    }
    return found;
  }

  /** Only says that something better is to come. */
  get isInterim(): boolean {
    return this.status < 200;
  }

  /** Whether the connection lives on behind the body. */
  get isKept(): boolean {
    const connection = this.value("connection") ?? "";
    if (this.#text.startsWith("HTTP/1.0")) return connection === "keep-alive";
    return connection === "" || !connection.split(",").some((word) => word.trim() === "close");
  }

  /** How much body there is, where that is said in advance; it is then no more and no less. */
  get declaredBytes(): number | null {
    const length = this.value("content-length");
    if (length === null || this.value("transfer-encoding") !== null) return null;
    const [first = "", ...others] = length.split(",");
    const isOne = others.every((other) => other.trim() === first);
    if (!isOne || !/^\d{1,15}$/.test(first)) throw malformed();
    return Number(first);
  }

  frames(): Frames {
    if (this.status === 204 || this.status === 304) return noFrames;
    const encoding = this.value("transfer-encoding");
    if (encoding === "chunked") return new ChunkFrames();
    if (encoding !== null) throw malformed();
    const length = this.declaredBytes;
    return length === null ? new OpenFrames() : new LengthFrames(length);
  }
}

function readHeaders(text: string): Headers {
  const headers = new Headers();
  for (const line of text.split("\r\n").slice(1, -1)) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  return headers;
}

export function malformed(): OutboundFailed {
  return new OutboundFailed("MalformedResponse");
}
