// A static OpenAI-style vendor on a raw socket: it reads just enough HTTP/1.1 to find the end of a
// request and answers with bytes made at start, so that it costs next to nothing beside a gateway.
import type { Socket } from "bun";

const chunkCount = 60;
const usualPaceMs = 2;
const slowPaceMs = 1_000;

const usage = { prompt_tokens: 90, completion_tokens: chunkCount, total_tokens: 90 + chunkCount };
const base = { id: "chatcmpl-bench", created: 1_700_000_000, model: "bench-model" };

function renderReply(): Buffer {
  const message = { role: "assistant", content: "word ".repeat(chunkCount) };
  const body = JSON.stringify({
    ...base,
    object: "chat.completion",
    choices: [{ index: 0, message, finish_reason: "stop" }],
    usage,
  });
  const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json";
  return Buffer.from(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
}

function frame(data: string): string {
  const event = `data: ${data}\n\n`;
  return `${event.length.toString(16)}\r\n${event}\r\n`;
}

function renderChunk(index: number, count: number): string {
  const delta = index === 0 ? { role: "assistant", content: "word " } : { content: "word " };
  const choice = { index: 0, delta, finish_reason: index === count - 1 ? "stop" : null };
  return frame(JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [choice] }));
}

const streamHead =
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const streamEnd =
  frame(JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [], usage })) +
  `${frame("[DONE]")}0\r\n\r\n`;

const reply = renderReply();
const parts = Array.from({ length: chunkCount }, (_, index) =>
  Buffer.from((index === 0 ? streamHead : "") + renderChunk(index, chunkCount)),
);
parts.push(Buffer.from(streamEnd));
// A stream of one token, sent whole: the first-byte passes need thousands of samples a second.
const shortStream = Buffer.from(streamHead + renderChunk(0, 1) + streamEnd);

interface Client {
  received: Buffer | undefined;
  unsent: Buffer | undefined;
  nextPart: number;
}

function write(socket: Socket<Client>, bytes: Buffer): void {
  const client = socket.data;
  const whole = client.unsent === undefined ? bytes : Buffer.concat([client.unsent, bytes]);
  const written = socket.write(whole);
  client.unsent = written < whole.length ? whole.subarray(Math.max(0, written)) : undefined;
}

/** One timer for all streams of a pace: a timer each would make the vendor the slowest part. */
class Pace {
  readonly #paceMs: number;
  readonly #sockets = new Set<Socket<Client>>();
  #ticker: Timer | undefined;

  constructor(paceMs: number) {
    this.#paceMs = paceMs;
  }

  start(socket: Socket<Client>): void {
    socket.data.nextPart = 0;
    this.#sockets.add(socket);
    this.#send(socket);
    this.#ticker ??= setInterval(() => this.#tick(), this.#paceMs);
  }

  leave(socket: Socket<Client>): void {
    this.#sockets.delete(socket);
  }

  #tick(): void {
    for (const socket of this.#sockets) this.#send(socket);
    if (this.#sockets.size > 0) return;
    clearInterval(this.#ticker);
    this.#ticker = undefined;
  }

  #send(socket: Socket<Client>): void {
    const part = parts[socket.data.nextPart++];
    if (part !== undefined) write(socket, part);
    if (socket.data.nextPart >= parts.length) this.leave(socket);
  }
}

const usualPace = new Pace(usualPaceMs);
const slowPace = new Pace(slowPaceMs);

/** The prompt may ask for `bench:short` (one chunk) or `bench:slow` (a chunk a second). */
function answer(socket: Socket<Client>, request: Buffer): void {
  if (request.indexOf('"stream":true') < 0) write(socket, reply);
  else if (request.indexOf("bench:short") >= 0) write(socket, shortStream);
  else if (request.indexOf("bench:slow") >= 0) slowPace.start(socket);
  else usualPace.start(socket);
}

/** The byte length of the request at the front, or undefined while it is incomplete. */
function requestLength(bytes: Buffer): number | undefined {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return undefined;
  const length = /\r\ncontent-length: *(\d+)/i.exec(bytes.toString("latin1", 0, end))?.[1] ?? "0";
  const total = end + 4 + Number(length);
  return total <= bytes.length ? total : undefined;
}

const listener = Bun.listen<Client>({
  hostname: "127.0.0.1",
  port: 0,
  socket: {
    open(socket) {
      socket.data = { received: undefined, unsent: undefined, nextPart: 0 };
    },
    data(socket, bytes) {
      const before = socket.data.received;
      const received = before === undefined ? bytes : Buffer.concat([before, bytes]);
      const length = requestLength(received);
      // The buffer handed to this callback is reused, so what is kept must be a copy.
      socket.data.received = length === undefined ? Buffer.from(received) : undefined;
      if (length !== undefined) answer(socket, received.subarray(0, length));
    },
    drain(socket) {
      if (socket.data.unsent !== undefined) write(socket, Buffer.alloc(0));
    },
    close(socket) {
      usualPace.leave(socket);
      slowPace.leave(socket);
    },
    error() {},
  },
});

console.log(JSON.stringify({ port: listener.port }));
