// Reads one HTTP/1.1 response from socket bytes cut anywhere: by Content-Length, in chunks, or
// until the close.

type State = "head" | "length" | "until-close" | "chunk-size" | "chunk" | "chunk-end" | "trailer";

/** The last event of some streams repeats the whole answer, and its name stands before it. */
const tailBytesMax = 4_096;

export class ResponseReader {
  status = 0;
  bodyBytes = 0;
  /** The last bytes of the body, enough to see whether a stream came to its proper end. */
  tail = "";
  isDone = false;
  isBroken = false;
  closesConnection = false;
  #state: State = "head";
  #carry = "";
  #remaining = 0;

  reset(): void {
    this.status = 0;
    this.bodyBytes = 0;
    this.tail = "";
    this.isDone = false;
    this.isBroken = false;
    this.closesConnection = false;
    this.#state = "head";
    this.#carry = "";
    this.#remaining = 0;
  }

  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && !this.isDone && !this.isBroken) at = this.#step(bytes, at);
    // Nothing was asked for beyond this response, so more bytes mean that it was framed wrongly.
    if (this.isDone && at < bytes.length) this.isBroken = true;
  }

  /** The peer closed the connection; only a response without a length may end that way. */
  close(): void {
    if (this.#state === "until-close") this.isDone = true;
    else if (!this.isDone) this.isBroken = true;
  }

  #step(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case "head":
        return this.#readHead(bytes, at);
      case "until-close":
        return this.#readBody(bytes, at, bytes.length);
      case "length":
      case "chunk": {
        const end = Math.min(bytes.length, at + this.#remaining);
        this.#remaining -= end - at;
        this.#readBody(bytes, at, end);
        if (this.#remaining === 0) this.#endPart();
        return end;
      }
      default:
        return this.#readLine(bytes, at);
    }
  }

  #endPart(): void {
    if (this.#state === "length") this.isDone = true;
    else this.#state = "chunk-end";
  }

  #readBody(bytes: Buffer, at: number, end: number): number {
    this.bodyBytes += end - at;
    const last = bytes.toString("latin1", Math.max(at, end - tailBytesMax), end);
    this.tail = last.length === tailBytesMax ? last : (this.tail + last).slice(-tailBytesMax);
    return end;
  }

  #readHead(bytes: Buffer, at: number): number {
    const carried = this.#carry.length;
    const text = this.#carry + bytes.toString("latin1", at);
    const end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      this.#carry = text;
      return bytes.length;
    }
    this.#carry = "";
    this.#parseHead(text.slice(0, end + 2).toLowerCase());
    return at + end + 4 - carried;
  }

  #parseHead(head: string): void {
    this.status = Number(head.slice(9, 12));
    this.closesConnection = head.includes("\r\nconnection: close\r\n");
    const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
    if (head.includes("\r\ntransfer-encoding: chunked\r\n")) this.#state = "chunk-size";
    else if (length === undefined) this.#state = "until-close";
    else {
      this.#state = "length";
      this.#remaining = Number(length);
      if (this.#remaining === 0) this.isDone = true;
    }
  }

  #readLine(bytes: Buffer, at: number): number {
    const end = bytes.indexOf(10, at);
    if (end < 0) {
      this.#carry += bytes.toString("latin1", at);
      return bytes.length;
    }
    const line = (this.#carry + bytes.toString("latin1", at, end)).trimEnd();
    this.#carry = "";
    this.#takeLine(line);
    return end + 1;
  }

  #takeLine(line: string): void {
    if (this.#state === "chunk-end") {
      if (line === "") this.#state = "chunk-size";
      else this.isBroken = true;
    } else if (this.#state === "trailer") {
      if (line === "") this.isDone = true;
    } else if (/^[0-9a-f]+/i.test(line)) {
      this.#remaining = Number.parseInt(line, 16);
      this.#state = this.#remaining === 0 ? "trailer" : "chunk";
    } else this.isBroken = true;
  }
}
