// A client on a raw socket: it sends exactly the bytes it is given and keeps what comes back.
import { connect, type Socket } from "node:net";

const patienceMs = 30_000;

export class RawClient implements Disposable {
  readonly #socket: Socket;
  #received = "";
  #isClosed = false;
  #wake = Promise.withResolvers<void>();

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      this.#received += text;
      this.#stir();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      this.#isClosed = true;
      this.#stir();
    });
  }

  static async open(url: string): Promise<RawClient> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    const client = new RawClient(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once("connect", resolve);
      socket.once("error", reject);
    });
    return client;
  }

  /** Text received so far, one character a byte. */
  get received(): string {
    return this.#received;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
  }

  /** Stops reading, as a client does that has fallen asleep. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Says that nothing more will be sent, and goes on listening. */
  endSending(): void {
    this.#socket.end();
  }

  /** Waits until the text matches; throws when the connection ends before or nothing comes. */
  async until(pattern: RegExp): Promise<string> {
    await this.#wait(() => pattern.test(this.#received) || this.#isClosed);
    if (pattern.test(this.#received)) return this.#received;
    throw new Error(`${pattern} did not come: ${JSON.stringify(this.#received.slice(0, 500))}`);
  }

  /** Waits for the other side to close; returns everything it sent. */
  async untilClosed(waitMs = patienceMs): Promise<string> {
    await this.#wait(() => this.#isClosed, waitMs);
    if (this.#isClosed) return this.#received;
    throw new Error(`still open after: ${JSON.stringify(this.#received.slice(0, 500))}`);
  }

  /** Waits for one whole answer with a length, or for the end. */
  async answer(): Promise<RawAnswer> {
    await this.#wait(() => this.#isClosed || toAnswer(this.#received) !== null);
    const answer = toAnswer(this.#received);
    if (answer) return answer;
    return { status: 0, head: this.#received, body: "", rest: "" };
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }

  #stir(): void {
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }

  async #wait(isDone: () => boolean, waitMs = patienceMs): Promise<void> {
    const late = Bun.sleep(waitMs).then(() => "late" as const);
    while (!isDone()) {
      if ((await Promise.race([this.#wake.promise, late])) === "late") return;
    }
  }
}

export interface RawAnswer {
  /** 0 when the connection ended without an answer. */
  status: number;
  head: string;
  body: string;
  /** Text behind the answer. */
  rest: string;
}

function toAnswer(received: string): RawAnswer | null {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return null;
  const head = received.slice(0, end);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  const body = received.slice(end + 4, end + 4 + length);
  if (body.length < length) return null;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, head, body, rest: received.slice(end + 4 + length) };
}

/** One request as it is, one answer. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<RawAnswer> {
  using client = await RawClient.open(url);
  client.send(bytes);
  return await client.answer();
}

/** A request as a well-behaved client writes it. */
export function rawRequest(
  line: string,
  headers: Record<string, string> = {},
  body: string | null = null,
): string {
  const length = body === null ? {} : { "content-length": String(Buffer.byteLength(body)) };
  const lines = Object.entries({ host: "gateway.test", ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  return `${line} HTTP/1.1\r\n${head}\r\n${Buffer.from(body ?? "").toString("latin1")}`;
}
