// One request and its reply: what comes is handed on as it comes, and no faster than it is taken.
import type { Abortable } from "../abort.ts";
import { Later, taken } from "../later.ts";
import {
  OutboundFailed,
  readBounded,
  refuseBody,
  throwFailure,
  type Allowance,
  type Chunk,
  type OutboundReply,
} from "../outbound.ts";
import type { Frames } from "./body-frames.ts";
import { WireConnection, type Load } from "./wire-connection.ts";
import type { Destination } from "./destination.ts";
import type { Pool } from "./pool.ts";
import { headBytesMax, malformed, ReplyHead } from "./reply-head.ts";
import { ungzip, type ChunkReader } from "../ungzip.ts";

interface WireRequest {
  destination: Destination;
  /** Head and body, as they go over the wire. */
  text: string | Uint8Array;
  bytes: number;
  /** To be heard twice does no harm. */
  isRepeatable: boolean;
  signal: Abortable;
  /** Called when a new connection is open. */
  connected: (() => void) | null;
  /**
   * The pool a connection is taken from and left to; null for one that serves this request alone.
   */
  pool: Pool | null;
}

/** Bytes that may wait for a reader before the sender has to. */
const waitingBytesMax = 256 * 1024;
const waitingPiecesMax = 1024;
const headEnd = "\r\n\r\n";
const noChunk: Chunk = {};

export class HttpCall implements OutboundReply, Load {
  readonly #answer = Promise.withResolvers<OutboundReply>();
  readonly #signal: Abortable;
  readonly #pool: Pool | null;
  /** Until the reply begins: it may have to be sent a second time. */
  #request: WireRequest | null;
  #connection: WireConnection | null = null;
  /** It went out before, and may have been heard. */
  #isRepeated = false;
  #early: Buffer | null = null;
  /** Bytes of heads that only said that something is to come. */
  #interimBytes = 0;
  #head: ReplyHead | null = null;
  #frames: Frames | null = null;
  #unpacked: ChunkReader | null | undefined;
  readonly #waiting: { value: Uint8Array }[] = [];
  #waitingBytes = 0;
  #isPaused = false;
  #ready: (() => void) | null = null;
  #later: Later<Chunk> | null = null;
  #failure: OutboundFailed | null = null;
  /** Nothing more comes. */
  #isOver = false;

  constructor(request: WireRequest) {
    this.#request = request;
    this.#signal = request.signal;
    this.#pool = request.pool;
  }

  begin(): Promise<OutboundReply> {
    const { destination, signal, connected } = this.#known;
    signal.addEventListener("abort", this);
    this.#ride(this.#pool?.take(destination.key) ?? WireConnection.open(destination, connected));
    return this.#answer.promise;
  }

  get status(): number {
    return this.#shown.status;
  }

  get headers(): Headers {
    return this.#shown.headers;
  }

  get mediaType(): string {
    return this.#shown.mediaType;
  }

  bytes(bytesMax: number, allowance?: Allowance): Promise<Uint8Array> {
    const { declaredBytes, packing } = this.#shown;
    if (packing !== null) return readBounded(this, bytesMax, allowance);
    if ((declaredBytes ?? 0) > bytesMax) return Promise.reject(refuseBody(this, bytesMax));
    const only = this.#waiting[0];
    const isWhole = this.#isOver && !this.#failure && this.#waiting.length === 1;
    if (only && isWhole && only.value.length <= bytesMax) {
      this.#waiting.length = 0;
      return Promise.resolve(only.value);
    }
    return readBounded(this, bytesMax, allowance);
  }

  read(): Promise<Chunk> {
    const unpacked = this.#unpack();
    return unpacked ? unpacked.read().catch(throwFailure) : this.#next();
  }

  take(ready: () => void): Chunk | undefined {
    if (!this.#unpack()) return this.#take(ready);
    this.#later ??= new Later(() => this.read());
    return this.#later.take(ready);
  }

  cancel(): void {
    this.#discard();
    // It is being thrown away; how it ends is of no interest.
    this.#unpacked?.cancel().catch(() => {});
    if (this.#isOver) return;
    this.#conclude();
    this.#connection?.drop();
    this.#wake();
  }

  /** The signal has aborted. */
  handleEvent(): void {
    this.#discard();
    this.#fail(new OutboundFailed("AbortError"));
  }

  received(bytes: Buffer): void {
    try {
      if (this.#frames) this.#takeBody(bytes, this.#frames);
      else this.#takeHead(this.#early ? Buffer.concat([this.#early, bytes]) : bytes);
    } catch (error) {
      this.#fail(OutboundFailed.from(error));
    }
  }

  closed(failure: OutboundFailed | null): void {
    const isUnanswered = !this.#head && !this.#early && this.#connection?.isReused;
    // The other side had given up a connection that rested, most likely before it heard of this.
    // Only most likely: what costs money is not asked for again.
    if (isUnanswered && this.#known.isRepeatable) this.#repeat();
    else if (!failure && this.#frames?.endsWithConnection) this.#finish();
    else this.#fail(failure ?? new OutboundFailed("ConnectionClosed"));
  }

  get #known(): WireRequest {
    if (!this.#request) throw new OutboundFailed("the reply has begun");
    return this.#request;
  }

  get #shown(): ReplyHead {
    if (!this.#head) throw new OutboundFailed("the reply has not begun");
    return this.#head;
  }

  /** Once at most: a connection that was just made has not been reused. */
  #repeat(): void {
    this.#isRepeated = true;
    this.#ride(WireConnection.open(this.#known.destination));
  }

  #ride(connection: WireConnection): void {
    const { text, bytes } = this.#known;
    this.#connection = connection;
    connection.carry(this);
    connection.write(text, bytes);
  }

  #takeHead(bytes: Buffer): void {
    for (let from = 0; ;) {
      const end = bytes.indexOf(headEnd, from);
      if ((end === -1 ? bytes.length : end) - from > headBytesMax) throw malformed();
      if (end === -1) {
        this.#early = bytes.subarray(from);
        return;
      }
      const head = new ReplyHead(bytes, from, end + 2);
      const headBytes = end + headEnd.length - from;
      from += headBytes;
      if (!head.isInterim) return this.#start(head, bytes, from);
      if ((this.#interimBytes += headBytes) > headBytesMax) throw malformed();
    }
  }

  /** Begin the body with the bytes that follow the head. */
  #start(head: ReplyHead, bytes: Buffer, from: number): void {
    this.#early = null;
    this.#request = null;
    this.#head = head;
    this.#frames = head.frames();
    if (from < bytes.length || this.#frames.isDone) this.#takeBody(bytes, this.#frames, from);
    this.#answer.resolve(this);
  }

  #takeBody(bytes: Buffer, frames: Frames, from = 0): void {
    const body = frames.take(bytes, from);
    if (body.length > 0) {
      this.#waiting.push({ value: body });
      this.#waitingBytes += body.length;
    }
    if (frames.isDone) return this.#finish();
    this.#wake();
    if (this.#isTooMuch) this.#pause();
  }

  #take(ready: () => void): Chunk | undefined {
    const chunk = this.#waiting.shift();
    if (chunk) {
      this.#waitingBytes -= chunk.value.length;
      if (this.#isPaused && !this.#isTooMuch) this.#resume();
      return chunk;
    }
    if (this.#failure) throw this.#failure;
    if (this.#isOver) return noChunk;
    this.#ready = ready;
    return undefined;
  }

  #next(): Promise<Chunk> {
    return taken((ready) => this.#take(ready));
  }

  #discard(): void {
    this.#waiting.length = 0;
    this.#waitingBytes = 0;
  }

  #wake(): void {
    const ready = this.#ready;
    this.#ready = null;
    ready?.();
  }

  get #isTooMuch(): boolean {
    return this.#waitingBytes > waitingBytesMax || this.#waiting.length > waitingPiecesMax;
  }

  #pause(): void {
    if (!this.#isPaused) this.#connection?.pause();
    this.#isPaused = true;
  }

  #resume(): void {
    this.#isPaused = false;
    this.#connection?.resume();
  }

  #unpack(): ChunkReader | null {
    if (this.#unpacked !== undefined) return this.#unpacked;
    const { packing } = this.#shown;
    if (packing !== null && packing !== "gzip") {
      this.cancel();
      throw new OutboundFailed("unsupported content encoding");
    }
    const read = () => this.#next();
    return (this.#unpacked = packing ? ungzip(read, () => this.cancel()) : null);
  }

  #finish(): void {
    this.#conclude();
    if (this.#isPaused) this.#resume();
    if (this.#connection) this.#leave(this.#connection);
    this.#wake();
  }

  #leave(connection: WireConnection): void {
    const isClean = this.#frames?.isDone && !this.#frames.hasSurplus && connection.isSent;
    if (this.#pool && isClean && this.#shown.isKept) this.#pool.keep(connection);
    else connection.end();
  }

  #fail(failure: OutboundFailed): void {
    if (this.#isOver) return;
    this.#conclude();
    const isUnsent = failure.isUnsent && !this.#isRepeated;
    this.#failure = new OutboundFailed(failure.message, isUnsent);
    this.#connection?.drop();
    this.#answer.reject(this.#failure);
    this.#wake();
  }

  #conclude(): void {
    this.#isOver = true;
    this.#request = null;
    this.#signal.removeEventListener("abort", this);
  }
}
