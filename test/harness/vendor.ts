// A scripted vendor on a raw socket: it can answer right, wrong, late, in pieces or not at all, and
// it remembers every request it got and when its clients left.
import type { Socket } from "bun";

export interface VendorRequest {
  path: string;
  headers: Record<string, string>;
  /** The body as JSON. */
  body: Record<string, unknown>;
  /** The body as it came. */
  text: string;
  /** Resolves when the other side closed the connection. */
  closed: Promise<void>;
}

export interface VendorReply {
  /** Raw bytes on the wire, exactly. */
  raw(bytes: string | Uint8Array): void;
  /** A whole JSON answer. */
  json(body: unknown, status?: number, headers?: Record<string, string>): void;
  /** Begins an event stream; `event` then sends one chunk each, `end` the final one. */
  stream(): void;
  event(data: unknown): void;
  /** Any text of the stream, as one piece. */
  chunk(text: string): void;
  end(): void;
  /** Breaks the connection off. */
  cut(): void;
}

export type VendorScript = (request: VendorRequest, reply: VendorReply) => void | Promise<void>;

interface Client {
  received: Buffer;
  closed: PromiseWithResolvers<void>;
}

export class Vendor implements Disposable {
  readonly requests: VendorRequest[] = [];
  script: VendorScript;
  readonly #listener;

  constructor(script: VendorScript) {
    this.script = script;
    const take = (socket: Socket<Client>, bytes: Buffer) => this.#take(socket, bytes);
    this.#listener = Bun.listen<Client>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open(socket) {
          socket.data = { received: Buffer.alloc(0), closed: Promise.withResolvers() };
        },
        data: take,
        close: (socket) => socket.data.closed.resolve(),
        error: (socket) => socket.data.closed.resolve(),
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.#listener.port}`;
  }

  /** A channel of the gateway that points here. */
  channel(fields: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      name: `vendor-${this.#listener.port}`,
      type: "openai",
      base_url: this.url,
      key: "sk-vendor-secret-0000",
      models: ["chatA"],
      allow_private: true,
      ...fields,
    };
  }

  [Symbol.dispose](): void {
    this.#listener.stop(true);
  }

  #take(socket: Socket<Client>, bytes: Buffer): void {
    const client = socket.data;
    client.received = Buffer.concat([client.received, bytes]);
    const head = client.received.indexOf("\r\n\r\n");
    if (head < 0) return;
    const lines = client.received.toString("latin1", 0, head).split("\r\n");
    const headers = Object.fromEntries(
      lines.slice(1).map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const end = head + 4 + Number(headers["content-length"] ?? 0);
    if (client.received.length < end) return;
    const body = client.received.toString("utf8", head + 4, end);
    client.received = client.received.subarray(end);
    const request: VendorRequest = {
      path: lines[0]?.split(" ")[1] ?? "",
      headers,
      body: body === "" ? {} : (JSON.parse(body) as Record<string, unknown>),
      text: body,
      closed: client.closed.promise,
    };
    this.requests.push(request);
    void this.script(request, replyOn(socket));
  }
}

function replyOn(socket: Socket<Client>): VendorReply {
  const chunk = (text: string) =>
    socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  return {
    raw: (bytes) => void socket.write(bytes),
    json(body, status = 200, headers = {}) {
      const text = JSON.stringify(body);
      const lines = Object.entries({
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(text)),
        ...headers,
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 ${status} X\r\n${lines.join("")}\r\n${text}`);
    },
    stream() {
      socket.write(
        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n",
      );
    },
    event: (data) =>
      void chunk(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`),
    chunk: (text) => void chunk(text),
    end: () => void socket.write("0\r\n\r\n"),
    cut: () => void socket.terminate(),
  };
}

/** A chat completion as a vendor would send it. */
export function completion(content: string, usage: object | null = defaultUsage): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_790_000_000,
    model: "vendor-model",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    ...(usage && { usage }),
  };
}

/** The same as it was asked for, whole or streamed. */
export function complete({ body }: VendorRequest, reply: VendorReply, content: string): void {
  if (body["stream"] !== true) return reply.json(completion(content));
  reply.stream();
  reply.event(delta({ role: "assistant", content }));
  reply.event(delta({}, "stop"));
  reply.event(usageChunk());
  reply.event("[DONE]");
  reply.end();
}

export const defaultUsage = { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 };

/** One chunk of a chat stream. */
export function delta(fields: object, finish: string | null = null): object {
  return {
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: "vendor-model",
    choices: [{ index: 0, delta: fields, finish_reason: finish }],
  };
}

export function usageChunk(usage: object = defaultUsage): object {
  return { ...delta({}), choices: [], usage };
}
