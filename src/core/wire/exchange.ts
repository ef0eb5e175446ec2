// One request and its reply: what comes is handed on as it comes, and no faster than it is taken.
import type { Abortable } from "./abort.ts";
import { Later, taken } from "./later.ts";
import { BodyTooLarge, OutboundFailed, type Chunk, type OutboundReply } from "../outbound.ts";
import type { Frames } from "./body-frames.ts";
import { Connection, toFailure, type Load } from "./connection.ts";
import type { Destination } from "./destination.ts";
import type { Pool } from "./pool.ts";
import { headBytesMax, malformed, ReplyHead } from "./reply-head.ts";
import { unpack, type ChunkReader } from "./unpack.ts";

export interface Asked {
  destination: Destination;
  /** Head and body, as they go over the wire. */
  text: string | Uint8Array;
  bytes: number;
  signal: Abortable;
  /** Where a connection is taken from and left; null for one that serves this request alone. */
  pool: Pool | null;
}

/** What may wait for a reader before the sender has to. */
const waitingBytesMax = 256 * 1024;
const waitingPiecesMax = 1024;
const headEnd = "\r\n\r\n";
const noChunk: Chunk = {};

export class Exchange implements OutboundReply, Load {
  readonly #answer = Promise.withResolvers<OutboundReply>();
  readonly #signal: Abortable;
  readonly #pool: Pool | null;
  /** Until the reply begins: it may have to be sent a second time. */
  #asked: Asked | null;
  #connection: Connection | null = null;
  #early: Buffer | null = null;
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

  constructor(asked: Asked) {
    this.#asked = asked;
    this.#signal = asked.signal;
    this.#pool = asked.pool;
  }

  begin(): Promise<OutboundReply> {
    const { destination, signal } = this.#known;
    signal.addEventListener("abort", this);
    const rested = this.#pool?.take(destination.key);
    if (rested) this.#ride(rested);
    else this.#connect(destination);
    return this.#answer.promise;
  }

  get status(): number {
    return this.#shown.status;
  }

  get headers(): Headers {
    return this.#shown.headers;
  }

  bytes(bytesMax: number): Promise<Uint8Array> {
    const declared = this.#shown.declaredBytes ?? 0;
    if (declared > bytesMax) return Promise.reject(this.#refuse(bytesMax));
    const [only] = this.#waiting;
    const isWhole = this.#isOver && !this.#failure && this.#waiting.length === 1;
    if (only && isWhole && only.value.length <= bytesMax && !this.#unpack()) {
      this.#waiting.length = 0;
      return Promise.resolve(only.value);
    }
    return this.#counted(bytesMax);
  }

  read(): Promise<Chunk> {
    const unpacked = this.#unpack();
    return unpacked ? unpacked.read().catch(throwFailure) : taken(this.#take);
  }

  take(ready: () => void): Chunk | undefined {
    const unpacked = this.#unpack();
    if (!unpacked) return this.#take(ready);
    this.#later ??= new Later(() => this.read());
    return this.#later.take(ready);
  }

  cancel(): void {
    this.#waiting.length = 0;
    if (this.#isOver) return;
    this.#conclude();
    this.#connection?.drop();
    this.#wake();
  }

  /** The signal has aborted. */
  handleEvent(): void {
    this.#waiting.length = 0;
    this.#fail(new OutboundFailed("AbortError"));
  }

  received(bytes: Buffer): void {
    try {
      if (this.#frames) this.#takeBody(bytes, this.#frames);
      else this.#takeHead(this.#early ? Buffer.concat([this.#early, bytes]) : bytes);
    } catch (error) {
      this.#fail(toFailure(error));
    }
  }

  closed(): void {
    const isUnheard = !this.#head && !this.#early;
    // The other side had given up a connection that rested, most likely before it heard of this.
    if (isUnheard && this.#connection?.isReused) this.#connect(this.#known.destination);
    else if (this.#frames?.endsWithConnection) this.#finish();
    else this.#fail(new OutboundFailed("ConnectionClosed"));
  }

  get #known(): Asked {
    if (!this.#asked) throw new OutboundFailed("the reply has begun");
    return this.#asked;
  }

  get #shown(): ReplyHead {
    if (!this.#head) throw new OutboundFailed("the reply has not begun");
    return this.#head;
  }

  #connect(destination: Destination): void {
    Connection.open(destination).then(
      (connection) => (this.#isOver ? connection.drop() : this.#ride(connection)),
      (error: unknown) => this.#fail(toFailure(error)),
    );
  }

  #ride(connection: Connection): void {
    const { text, bytes } = this.#known;
    this.#connection = connection;
    connection.carry(this);
    connection.write(text, bytes);
  }

  #takeHead(bytes: Buffer): void {
    const end = bytes.indexOf(headEnd);
    if (end === -1 ? bytes.length > headBytesMax : end > headBytesMax) throw malformed();
    this.#early = bytes;
    if (end === -1) return;
    const head = new ReplyHead(bytes.subarray(0, end + 2));
    const rest = bytes.subarray(end + headEnd.length);
    // It only says that something better is to come.
    if (head.isInterim) return this.#takeHead(rest);
    this.#early = null;
    this.#asked = null;
    this.#head = head;
    this.#frames = head.frames();
    if (rest.length > 0 || this.#frames.isDone) this.#takeBody(rest, this.#frames);
    this.#answer.resolve(this);
  }

  #takeBody(bytes: Buffer, frames: Frames): void {
    const body = frames.take(bytes);
    if (body.length > 0) {
      this.#waiting.push({ value: body });
      this.#waitingBytes += body.length;
    }
    if (frames.isDone) return this.#finish();
    this.#wake();
    if (this.#isTooMuch) this.#pause();
  }

  readonly #take = (ready: () => void): Chunk | undefined => {
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
  };

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
    if (this.#unpacked === undefined) {
      this.#unpacked = unpack(
        this.#shown.packing,
        () => taken(this.#take),
        () => this.cancel(),
      );
    }
    return this.#unpacked;
  }

  async #counted(bytesMax: number): Promise<Uint8Array> {
    const chunks: Uint8Array[] = [];
    let total = 0;
    for (let { value } = await this.read(); value; { value } = await this.read()) {
      total += value.length;
      if (total > bytesMax) throw this.#refuse(bytesMax);
      chunks.push(value);
    }
    return Buffer.concat(chunks, total);
  }

  #refuse(bytesMax: number): BodyTooLarge {
    this.cancel();
    return new BodyTooLarge(`the body is longer than ${bytesMax} bytes`);
  }

  #finish(): void {
    this.#conclude();
    const connection = this.#connection;
    const isClean = this.#frames?.isDone && !this.#frames.hasSurplus && connection?.isSent;
    if (!connection) return this.#wake();
    if (this.#isPaused) this.#resume();
    if (this.#pool && isClean && this.#shown.isKept) this.#pool.keep(connection);
    else connection.end();
    this.#wake();
  }

  #fail(failure: OutboundFailed): void {
    if (this.#isOver) return;
    this.#conclude();
    this.#failure = failure;
    this.#connection?.drop();
    this.#answer.reject(failure);
    this.#wake();
  }

  #conclude(): void {
    this.#isOver = true;
    this.#asked = null;
    this.#signal.removeEventListener("abort", this);
  }
}

function throwFailure(error: unknown): never {
  throw toFailure(error);
}
