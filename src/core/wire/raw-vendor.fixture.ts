// Vendors for the tests of this folder, which speak as well or as badly as a test wants.
import { expect } from "bun:test";
import net from "node:net";
import tls from "node:tls";
import { OutboundFailed, type OutboundReply, type OutboundRequest } from "../outbound.ts";
import { send } from "./send.ts";

export interface Heard {
  /** Each byte of it one character. */
  head: string;
  body: Buffer;
}

/** The vendor's end of one connection. */
export class Peer {
  readonly socket: net.Socket;
  /** All that was said and not asked for yet. */
  heard = Buffer.alloc(0);
  readonly closed: Promise<void>;
  readonly #pieces: Buffer[] = [];
  #news: () => void = () => {};

  constructor(socket: net.Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => {
      socket.on("close", () => {
        resolve();
        this.#news();
      });
    });
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("data", (bytes) => {
      this.#pieces.push(Buffer.from(bytes));
      this.#news();
    });
  }

  /** The next whole request. */
  async request(): Promise<Heard> {
    const end = await this.#until(() => {
      const at = this.heard.indexOf("\r\n\r\n");
      return at === -1 ? null : at + 4;
    });
    const head = this.heard.toString("latin1", 0, end);
    const length = Number(/content-length: (\d+)\r\n/i.exec(head)?.[1] ?? 0);
    const missing = end + length - this.heard.length;
    await this.#until(() => (this.#pendingBytes >= missing ? true : null), false);
    this.#gather();
    const body = this.heard.subarray(end, end + length);
    this.heard = this.heard.subarray(end + length);
    return { head, body };
  }

  /** Resolves when the runtime has handed it all to the system. */
  write(text: string | Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      this.socket.write(text, () => resolve());
    });
  }

  get #pendingBytes(): number {
    return this.#pieces.reduce((sum, piece) => sum + piece.length, 0);
  }

  /** Gathering copies all there is, which a large body in very many pieces does not bear. */
  async #until<Value>(look: () => Value | null, isGathered = true): Promise<Value> {
    for (;;) {
      if (isGathered) this.#gather();
      const found = look();
      if (found !== null) return found;
      if (this.socket.destroyed) throw new Error("closed before the whole request had come");
      await new Promise<void>((resolve) => (this.#news = resolve));
    }
  }

  #gather(): void {
    if (this.#pieces.length > 0) this.heard = Buffer.concat([this.heard, ...this.#pieces]);
    this.#pieces.length = 0;
  }
}

/** Accepts connections and does nothing by itself. */
export class RawVendor implements AsyncDisposable {
  readonly peers: Peer[] = [];
  readonly #server: net.Server;
  #taken = 0;
  #news: () => void = () => {};

  constructor(secrets?: tls.TlsOptions) {
    this.#server = secrets ? tls.createServer(secrets) : net.createServer();
    this.#server.on(secrets ? "secureConnection" : "connection", (socket: net.Socket) => {
      this.peers.push(new Peer(socket));
      this.#news();
    });
    // A caller who does not trust it ends the handshake.
    this.#server.on("tlsClientError", () => {});
  }

  static async listening(secrets?: tls.TlsOptions): Promise<RawVendor> {
    const vendor = new RawVendor(secrets);
    await new Promise<void>((resolve) => vendor.#server.listen(0, "127.0.0.1", resolve));
    return vendor;
  }

  get port(): number {
    const address = this.#server.address();
    if (typeof address !== "object" || !address) throw new Error("it does not listen");
    return address.port;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`;
  }

  /** The next connection that nobody has asked for yet. */
  async next(): Promise<Peer> {
    for (;;) {
      const peer = this.peers[this.#taken];
      if (peer) {
        this.#taken++;
        return peer;
      }
      await new Promise<void>((resolve) => (this.#news = resolve));
    }
  }

  /** No new connections; those that are there stay. */
  deafen(): void {
    this.#server.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const { socket } of this.peers) socket.destroy();
  }
}

export const okay = reply("okay");

export function reply(text: string, ...lines: string[]): string {
  const head = ["HTTP/1.1 200 OK", `content-length: ${Buffer.byteLength(text)}`, ...lines];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

export function call(url: string, change: Partial<OutboundRequest> = {}): Promise<OutboundReply> {
  const { signal } = new AbortController();
  return send({ url, method: "GET", headers: {}, signal, ...change });
}

export function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: unknown) => error,
  );
}

/** What failed, and whether anything was sent before that. */
export async function failureText(promise: Promise<unknown>): Promise<string> {
  const error = await failureOf(promise);
  if (!(error instanceof OutboundFailed)) throw error;
  return error.isUnsent ? `unsent: ${error.message}` : error.message;
}

export async function readAll(reply: OutboundReply): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (let { value } = await reply.read(); value; { value } = await reply.read()) {
    pieces.push(value);
  }
  return Buffer.concat(pieces).toString();
}

/** Everything an error could show to anyone, hidden fields included. */
export function insides(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const fields = Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name));
  return [String(error), Bun.inspect(error), ...fields.map((field) => Bun.inspect(field))].join();
}

export const canary = "canary0123456789";

export async function expectSilent(promise: Promise<unknown>, url: string): Promise<void> {
  const error = await failureOf(promise);
  expect(error).toBeInstanceOf(OutboundFailed);
  expect(error).not.toHaveProperty("cause");
  expect(insides(error)).not.toContain(canary);
  expect(insides(error)).not.toContain(new URL(url).host);
  expect(insides(error)).not.toContain(new URL(url).hostname);
}

/** A signal that knows how many listen to it. */
export function countedAbort() {
  const abort = new AbortController();
  const { signal } = abort;
  let listeners = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners--;
    remove(...args);
  };
  return { signal, abort: () => abort.abort(), count: () => listeners };
}
