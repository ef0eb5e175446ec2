// Vendors for the tests of this folder, which speak as well or as badly as a test wants.
import { expect } from "bun:test";
import net from "node:net";
import tls from "node:tls";
import { fetchSend } from "../fetch-send.ts";
import { taken } from "../later.ts";
import {
  OutboundFailed,
  type OutboundReply,
  type OutboundRequest,
  type Send,
} from "../outbound.ts";
import { send } from "./send.ts";

export type Call = (url: string, change?: Partial<OutboundRequest>) => Promise<OutboundReply>;

/** How a way out names what it could not do. */
interface Words {
  closed: string;
  malformed: string;
  upgraded: string;
  /** What speaks no TLS; our own sockets know that nothing was said to it. */
  insecure: RegExp;
}

/** Both ways out: what the port promises holds for each. */
export const ways: [name: string, call: Call, words: Words][] = [
  [
    "our own sockets",
    calling(send),
    {
      closed: "ConnectionClosed",
      malformed: "MalformedResponse",
      upgraded: "MalformedResponse",
      insecure: /^unsent: \w+$/,
    },
  ],
  [
    "the platform's client",
    calling(fetchSend),
    {
      closed: "ECONNRESET",
      malformed: "Malformed_HTTP_Response",
      upgraded: "UnrequestedUpgrade",
      insecure: /^\w+$/,
    },
  ],
];

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

/** Over our own sockets. */
export const call: Call = calling(send);

function calling(send: Send): Call {
  return (url, change = {}) => {
    const { signal } = new AbortController();
    return send({ url, method: "GET", headers: {}, signal, ...change });
  };
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

/** Takes piece by piece, as streams are. */
export async function takeAll(reply: OutboundReply): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const { value } = await taken((ready) => reply.take(ready));
    if (!value) return Buffer.concat(pieces).toString();
    pieces.push(value);
  }
}

const head = "HTTP/1.1 200 OK\r\n";
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`;
/** One body, framed in each way there is; the last ends with its connection. */
export const framings: [string, string, boolean][] = [
  ["of a known length", `${head}content-length: 10\r\n\r\n0123456789`, false],
  ["in chunks", `${chunked}3\r\n012\r\n7;a=b\r\n3456789\r\n0\r\nx-a: b\r\n\r\n`, false],
  ["up to the close", `${head}\r\n0123456789`, true],
];

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
