// One socket to one destination, which carries one request at a time.
import type { Socket, SocketHandler } from "bun";
import { OutboundFailed } from "../outbound.ts";
import type { Destination } from "./destination.ts";

/** The load of a connection. */
export interface Load {
  /** The bytes are its own from now on. */
  received(bytes: Buffer): void;
  /** Nothing comes any more; null when the other side has ended it in good order. */
  closed(failure: OutboundFailed | null): void;
}

/** The keeper of a connection while it carries nothing. */
export interface Keeper {
  lost(connection: WireConnection): void;
}

const probeAfterMs = 30_000;
/**
 * After so many bytes whatever else is to do has its turn. The runtime reads on for as long as
 * there is something to read, so one fast sender would keep everybody else waiting.
 */
const bytesPerTurn = 256 * 1024;

export class WireConnection {
  readonly key: string;
  readonly #connected: (() => void) | null;
  /** It has carried something before, so the other side may just have given it up. */
  isReused = false;
  /** Sweeps of the pool that have found it resting. */
  sweeps = 0;
  #socket: Socket<WireConnection> | null = null;
  #isOpen = false;
  #isDropped = false;
  #bytesThisTurn = 0;
  #isYielding = false;
  /** True while its load cannot take more. */
  #isPaused = false;
  #load: Load | null = null;
  #keeper: Keeper | null = null;
  #unsent: { text: string | Uint8Array; bytes: number } | null = null;

  private constructor(key: string, connected: (() => void) | null) {
    this.key = key;
    this.#connected = connected;
  }

  /** Can be used at once: what is written waits until there is somebody to hear it. */
  static open(destination: Destination, connected: (() => void) | null = null): WireConnection {
    const { key, hostname, port, isSecure, serverName } = destination;
    const connection = new WireConnection(key, connected);
    const way = { hostname, port, data: connection };
    const opening = isSecure
      ? Bun.connect({ ...way, tls: serverName === null ? true : { serverName }, socket: secure })
      : Bun.connect({ ...way, socket: plain });
    opening.catch((error: unknown) => connection.closed(OutboundFailed.from(error)));
    return connection;
  }

  /** Until it rests again, or has closed. */
  carry(load: Load): void {
    this.#load = load;
    this.#keeper = null;
    this.#socket?.ref();
  }

  /** Write; bytes the socket does not take at once follow when it can. */
  write(text: string | Uint8Array, bytes: number): void {
    const written = this.#isOpen ? Math.max(0, this.#socket?.write(text) ?? 0) : 0;
    if (written === bytes) return;
    if (written === 0) this.#unsent = { text, bytes };
    else this.#unsent = { text: toBytes(text).subarray(written), bytes: bytes - written };
  }

  get isSent(): boolean {
    return this.#unsent === null;
  }

  /** Carries nothing for now; its keeper is told when it closes meanwhile. */
  rest(keeper: Keeper): void {
    this.isReused = true;
    this.sweeps = 0;
    this.#load = null;
    this.#keeper = keeper;
    // A connection that waits for a request that may never come must not keep a program from
    // ending.
    this.#socket?.unref();
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isYielding) this.#socket?.resume();
  }

  /** In good order, behind a reply that was its last. */
  end(): void {
    this.#load = null;
    this.#socket?.end();
  }

  /** At once, whatever is under way: also what is not even there yet. */
  drop(): void {
    this.#load = null;
    this.#unsent = null;
    this.#isDropped = true;
    this.#socket?.terminate();
  }

  /** There is a socket, though what is said on it may not be secret yet. */
  reached(socket: Socket<WireConnection>): void {
    this.#socket = socket;
    if (this.#isDropped) socket.terminate();
  }

  opened(): void {
    this.#isOpen = true;
    this.#connected?.();
    // A vendor may think for minutes, and something in between may forget who is waiting.
    this.#socket?.setKeepAlive(true, probeAfterMs);
    this.drained();
  }

  received(bytes: Buffer): void {
    if (this.#load) this.#load.received(bytes);
    // Nobody asked for this, and it must not be taken for the next reply.
    else this.#socket?.terminate();
    if ((this.#bytesThisTurn += bytes.length) > bytesPerTurn) this.#yield();
  }

  drained(): void {
    const unsent = this.#unsent;
    this.#unsent = null;
    if (unsent) this.write(unsent.text, unsent.bytes);
  }

  broke(error: unknown): void {
    this.closed(OutboundFailed.from(error));
    this.drop();
  }

  closed(failure: OutboundFailed | null): void {
    const load = this.#load;
    this.#load = null;
    this.#keeper?.lost(this);
    load?.closed(
      this.#isOpen ? failure : new OutboundFailed(failure?.message ?? "ConnectionClosed", true),
    );
  }

  #yield(): void {
    this.#bytesThisTurn = 0;
    if (this.#isYielding || this.#isDropped) return;
    this.#isYielding = true;
    this.#socket?.pause();
    setImmediate(() => {
      this.#isYielding = false;
      if (!this.#isPaused && !this.#isDropped) this.#socket?.resume();
    });
  }
}

const events = {
  data: ({ data }, bytes) => data.received(bytes),
  drain: ({ data }) => data.drained(),
  close: ({ data }, error) => data.closed(error ? OutboundFailed.from(error) : null),
  error: ({ data }, error) => data.broke(error),
} satisfies SocketHandler<WireConnection>;

const plain: SocketHandler<WireConnection> = {
  ...events,
  open(socket) {
    socket.data.reached(socket);
    socket.data.opened();
  },
};

/** Nothing is said before the certificate is known to be good, for this very name. */
const secure: SocketHandler<WireConnection> = {
  ...events,
  open: (socket) => socket.data.reached(socket),
  handshake(socket, isTrusted, error) {
    if (isTrusted && socket.authorized) socket.data.opened();
    else socket.data.broke(error);
  },
};

function toBytes(text: string | Uint8Array): Uint8Array {
  return typeof text === "string" ? Buffer.from(text) : text;
}
