// Boundary between one request of a connection and the next, told from its bytes alone. What is not
// plainly framed is never cut: the connection then stays as it is.
const headBytesMax = 1 << 17;
const headEnd = "\r\n\r\n";

/** A part of what a client sent: bytes of one request. */
export interface Cut {
  bytes: Buffer;
  /** They begin a request. */
  isFirst: boolean;
  /** There, once the head is whole. */
  head: string | null;
}

type Framing =
  | { kind: "head"; text: string }
  | { kind: "length"; left: number }
  | { kind: "chunks"; decoder: ChunkReader }
  | { kind: "uncut" };

export class RequestCutter {
  #framing: Framing = { kind: "head", text: "" };

  /** The next byte begins a request. */
  get isBetween(): boolean {
    return this.#framing.kind === "head" && this.#framing.text === "";
  }

  stay(): void {
    this.#framing = { kind: "uncut" };
  }

  *cut(bytes: Buffer): Generator<Cut> {
    let rest = bytes;
    while (rest.length > 0) {
      const isFirst = this.isBetween;
      const [used, head] = this.#take(rest);
      yield { bytes: rest.subarray(0, used), isFirst, head };
      rest = rest.subarray(used);
    }
  }

  /** Bytes that belong to what is read now, and the head if it ends with them. */
  #take(bytes: Buffer): [used: number, head: string | null] {
    const framing = this.#framing;
    if (framing.kind === "head") return this.#takeHead(framing.text, bytes);
    if (framing.kind === "length") {
      const used = Math.min(framing.left, bytes.length);
      framing.left -= used;
      if (framing.left === 0) this.#framing = { kind: "head", text: "" };
      return [used, null];
    }
    if (framing.kind === "chunks") {
      const used = framing.decoder.read(bytes);
      if (framing.decoder.state === "broken") this.stay();
      else if (framing.decoder.state === "ended") this.#framing = { kind: "head", text: "" };
      return [used, null];
    }
    return [bytes.length, null];
  }

  #takeHead(before: string, bytes: Buffer): [number, string | null] {
    const text = before + bytes.toString("latin1");
    const end = text.indexOf(headEnd, Math.max(0, before.length - headEnd.length));
    if (end === -1) {
      if (text.length > headBytesMax) this.stay();
      else this.#framing = { kind: "head", text };
      return [bytes.length, null];
    }
    const head = text.slice(0, end);
    this.#framing = framingAfter(head);
    return [end + headEnd.length - before.length, head];
  }
}

function framingAfter(head: string): Framing {
  const [line = "", ...fields] = head.split("\r\n");
  if (!/^[A-Z]+ \S+ HTTP\/1\.1$/.test(line) || line.startsWith("CONNECT")) return { kind: "uncut" };
  const values = (name: string) =>
    fields
      .filter((field) => field.toLowerCase().startsWith(`${name}:`))
      .map((field) => field.slice(name.length + 1).trim());
  const [lengths, codings] = [values("content-length"), values("transfer-encoding")];
  if (values("upgrade").length > 0 || lengths.length + codings.length > 1) return { kind: "uncut" };
  const [length] = lengths;
  if (codings.length > 0) {
    if (codings[0]?.toLowerCase() !== "chunked") return { kind: "uncut" };
    return { kind: "chunks", decoder: new ChunkReader() };
  }
  if (length === undefined || length === "0") return { kind: "head", text: "" };
  return /^\d{1,15}$/.test(length) ? { kind: "length", left: Number(length) } : { kind: "uncut" };
}

/** Follows the chunks of a body up to the end of its trailers. */
class ChunkReader {
  state: "size" | "data" | "trailers" | "ended" | "broken" = "size";
  #line = "";
  #left = 0;

  /** Bytes that belong to the body. */
  read(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && this.state !== "ended" && this.state !== "broken") {
      if (this.state === "data") {
        const used = Math.min(this.#left, bytes.length - at);
        at += used;
        this.#left -= used;
        if (this.#left === 0) this.state = "size";
      } else {
        this.#line += String.fromCharCode(bytes[at++] ?? 0);
        if (this.#line.endsWith("\r\n")) this.#endLine(this.#line.slice(0, -2));
        else if (this.#line.length > headBytesMax) this.state = "broken";
      }
    }
    return this.state === "broken" ? bytes.length : at;
  }

  #endLine(line: string): void {
    this.#line = "";
    if (this.state === "trailers") {
      if (line === "") this.state = "ended";
      return;
    }
    const size = /^([0-9A-Fa-f]{1,8})(?:;.*)?$/.exec(line)?.[1];
    if (size === undefined) this.state = "broken";
    else if (/^0+$/.test(size)) this.state = "trailers";
    else {
      this.state = "data";
      // With the line break behind it.
      this.#left = Number.parseInt(size, 16) + 2;
    }
  }
}
