// Responses over WebSocket. Each frame becomes the request that a POST would have been, with an id,
// a hold, a record and a settlement of its own: the socket is a bridge to the flow that there is.
// One response at a time; what the socket was opened with is its credential, asked for anew with
// every frame.
import type { ServerWebSocket, WebSocketHandler } from "bun";
import type { Deadlines } from "../../core/deadline.ts";
import { GatewayError, toGatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";
import { SseSplitter } from "../../core/sse.ts";
import { statusOf } from "../envelopes/status.ts";
import { KeptTurns } from "./kept-turns.ts";
import { errorFrame, readFrame } from "./frames.ts";

/** Serves a request that did not come by a connection of its own. */
type ServeFrame = (request: Request, ip: string) => Promise<Response | undefined>;

interface ResponseSocketsNeeds {
  frameBytesMax: number;
  writeStallMs: number;
  deadlines: Deadlines;
}

/** Holder of the connection. */
interface Opener {
  ip: string;
  accountId: AccountId;
}

/** One account has a part of the sockets, so that it cannot leave all others without. */
const accountParts = 4;
/** Behind this much the source waits for the client. */
const bufferedBytesMax = 256 * 1024;
const goingAway = 1001;
const refused = 1008;

/** Headers of the connection, and not of the requests on it. */
const ofHandshake =
  /^(?:connection|upgrade|content-length|transfer-encoding|idempotency-key|sec-websocket-.*)$/i;

export class ResponseSocket {
  readonly #url: string;
  readonly #headers: Headers;
  readonly #ip: string;
  readonly accountId: AccountId;
  readonly turns: KeptTurns;
  /** Ends the response that is being made. */
  abort: AbortController | null = null;
  /** Told when the client has read, or is gone. */
  drained: (() => void) | null = null;

  constructor(request: Request, { ip, accountId }: Opener, bytesMax: number) {
    this.accountId = accountId;
    this.turns = new KeptTurns(bytesMax);
    this.#url = request.url;
    this.#headers = new Headers([...request.headers].filter(([name]) => !ofHandshake.test(name)));
    this.#headers.set("content-type", "application/json");
    this.#ip = ip;
  }

  get ip(): string {
    return this.#ip;
  }

  request(body: JsonObject, signal: AbortSignal): Request {
    const [url, headers] = [this.#url, this.#headers];
    return new Request(url, { method: "POST", headers, body: JSON.stringify(body), signal });
  }
}

type Socket = ServerWebSocket<ResponseSocket>;

export class ResponseSockets {
  readonly #needs: ResponseSocketsNeeds;
  readonly #open = new Set<Socket>();
  readonly #countByAccount = new Map<AccountId, number>();
  #isLeaving = false;

  constructor(needs: ResponseSocketsNeeds) {
    this.#needs = needs;
  }

  /** State of a connection, once it is a socket. */
  socketOf(request: Request, opener: Opener): ResponseSocket {
    return new ResponseSocket(request, opener, this.#needs.frameBytesMax);
  }

  /** Throws the refusal of one more where all there are, or an account's part of them, are open. */
  checkRoom(accountId: AccountId, socketsMax: number): void {
    if (this.#open.size >= socketsMax)
      throw new GatewayError("overloaded", { retryAfterSeconds: 5 });
    const partMax = Math.ceil(socketsMax / accountParts);
    if ((this.#countByAccount.get(accountId) ?? 0) < partMax) return;
    const message = `This account has ${partMax} sockets open, the most it may. Close one.`;
    throw new GatewayError("too_many_requests", { message, retryAfterSeconds: 5 });
  }

  /** Less than nothing gives some back. */
  #count(accountId: AccountId, sockets: number): void {
    const ofAccount = (this.#countByAccount.get(accountId) ?? 0) + sockets;
    if (ofAccount > 0) this.#countByAccount.set(accountId, ofAccount);
    else this.#countByAccount.delete(accountId);
  }

  /** Calls for the platform; `serve` answers the request in a frame. */
  handler(serve: ServeFrame): WebSocketHandler<ResponseSocket> {
    return {
      maxPayloadLength: this.#needs.frameBytesMax,
      perMessageDeflate: false,
      open: (socket) => {
        this.#open.add(socket);
        this.#count(socket.data.accountId, 1);
        if (this.#isLeaving) socket.close(goingAway);
      },
      message: (socket, frame) => void this.#take(socket, frame, serve),
      drain: ({ data }) => data.drained?.(),
      close: (socket) => {
        if (this.#open.delete(socket)) this.#count(socket.data.accountId, -1);
        socket.data.abort?.abort();
        socket.data.drained?.();
      },
    };
  }

  /** Those that wait are closed at once, those that are at work when their response has ended. */
  leave(): void {
    this.#isLeaving = true;
    for (const socket of this.#open) if (!socket.data.abort) socket.close(goingAway);
  }

  async #take(socket: Socket, frame: string | Buffer, serve: ServeFrame): Promise<void> {
    const { data } = socket;
    if (data.abort) {
      const message = "One response at a time is made on a socket.";
      const error = { message, type: "invalid_request_error", param: null, code: "conflict" };
      socket.send(errorFrame(409, error, null));
      return;
    }
    const abort = new AbortController();
    data.abort = abort;
    try {
      const body = data.turns.resume(readFrame(frame));
      const request = data.request(body, abort.signal);
      const response = await serve(request, data.ip);
      if (response) await this.#answer(socket, response);
    } catch (thrown) {
      const error = toGatewayError(thrown);
      const { message, type, param, shownCode: code } = error;
      socket.send(errorFrame(statusOf(error), { message, type, param, code }, null));
    } finally {
      data.abort = null;
      if (this.#isLeaving) socket.close(goingAway);
    }
  }

  async #answer(socket: Socket, response: Response): Promise<void> {
    const isStream = response.headers.get("content-type") === "text/event-stream";
    if (!isStream || !response.body) {
      const { status } = response;
      socket.send(errorFrame(status, errorIn(await response.text()), idOf(response)));
      // Its credential opens nothing any more.
      if (status === 401) socket.close(refused);
      return;
    }
    const splitter = new SseSplitter();
    for await (const bytes of response.body) {
      for (const event of splitter.push(bytes)?.events ?? []) {
        if (event.data === "") continue;
        socket.data.turns.see(event);
        socket.send(event.data);
      }
      if (socket.getBufferedAmount() > bufferedBytesMax) await this.#read(socket);
    }
  }

  /** Waits until the client has read, and for no longer than on any stream. */
  async #read(socket: Socket): Promise<void> {
    const { deadlines, writeStallMs } = this.#needs;
    const { promise, resolve } = Promise.withResolvers<void>();
    socket.data.drained = resolve;
    const watch = deadlines.watch(writeStallMs, () => socket.terminate());
    await promise;
    watch.end();
    socket.data.drained = null;
  }
}

function idOf({ headers }: Response): string | null {
  return headers.get("x-request-id");
}

function errorIn(text: string): JsonObject {
  const body: unknown = parseJson(Buffer.from(text));
  return isObject(body) && isObject(body["error"]) ? body["error"] : {};
}
