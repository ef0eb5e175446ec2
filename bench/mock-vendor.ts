// A static vendor on a raw socket, on three wires: it reads just enough HTTP/1.1 to find the end of
// a request and answers with bytes made at start, so that it costs next to nothing beside a
// gateway.
import type { Socket } from "bun";
import type { Answers } from "./vendor/answers.ts";
import { chat } from "./vendor/chat.ts";
import { content } from "./vendor/content.ts";
import { messages } from "./vendor/messages.ts";

const usualPaceMs = 2;
const slowPaceMs = 1_000;

interface Client {
  received: Buffer | undefined;
  unsent: Buffer | undefined;
  pieces: readonly Buffer[];
  nextPiece: number;
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

  start(socket: Socket<Client>, { pieces }: Answers): void {
    socket.data.pieces = pieces;
    socket.data.nextPiece = 0;
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
    const client = socket.data;
    const piece = client.pieces[client.nextPiece++];
    if (piece !== undefined) write(socket, piece);
    if (client.nextPiece >= client.pieces.length) this.leave(socket);
  }
}

const usualPace = new Pace(usualPaceMs);
const slowPace = new Pace(slowPaceMs);

/** Enough of a request to tell its path. */
const pathBytesMax = 80;

function answersAt(path: string): Answers {
  if (path.startsWith("/v1/messages")) return messages;
  return path.startsWith("/v1beta/") ? content : chat;
}

/** The prompt may ask for `bench:short` (one chunk) or `bench:slow` (a chunk a second). */
function answer(socket: Socket<Client>, request: Buffer): void {
  const path = request.toString("latin1", "POST ".length, pathBytesMax);
  const answers = answersAt(path);
  const isStream = path.includes(":streamGenerateContent") || request.indexOf('"stream":true') >= 0;
  if (!isStream) write(socket, answers.reply);
  else if (request.indexOf("bench:short") >= 0) write(socket, answers.shortStream);
  else if (request.indexOf("bench:slow") >= 0) slowPace.start(socket, answers);
  else usualPace.start(socket, answers);
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
      socket.data = { received: undefined, unsent: undefined, pieces: [], nextPiece: 0 };
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
