// One socket to one destination, which carries one request at a time.
import type { Socket, SocketHandler } from "bun";
import { OutboundFailed } from "../outbound.ts";
import type { Destination } from "./destination.ts";

/** What a connection carries. */
export interface Load {
  /** The bytes are its own from now on. */
  received(bytes: Buffer): void;
  /** The connection is gone: nothing comes any more. */
  closed(): void;
}

const probeAfterMs = 30_000;

export class Connection {
  readonly key: string;
  /** It has carried something before, so the other side may just have given it up. */
  isReused = false;
  /** How many sweeps of the pool have found it resting. */
  sweeps = 0;
  readonly #opening = Promise.withResolvers<Connection>();
  #socket: Socket<Connection> | null = null;
  #load: Load | null = null;
  #unsent: Uint8Array | null = null;

  private constructor(key: string) {
    this.key = key;
  }

  static open(destination: Destination): Promise<Connection> {
    const { key, hostname, port, isSecure, serverName } = destination;
    const connection = new Connection(key);
    const way = { hostname, port, data: connection };
    const opening = isSecure
      ? Bun.connect({ ...way, tls: serverName === null ? true : { serverName }, socket: secure })
      : Bun.connect({ ...way, socket: plain });
    opening.catch((error: unknown) => connection.#opening.reject(toFailure(error)));
    return connection.#opening.promise;
  }

  /** Until it rests again, or has closed. */
  carry(load: Load): void {
    this.#load = load;
    this.#socket?.ref();
  }

  /** What the socket does not take at once follows when it can. */
  write(text: string | Uint8Array, bytes: number): void {
    const written = this.#unsent ? 0 : Math.max(0, this.#socket?.write(text) ?? 0);
    if (written < bytes) this.#keepUnsent(Buffer.from(text).subarray(written));
  }

  get isSent(): boolean {
    return this.#unsent === null;
  }

  /** Carries nothing for now; `lost` is told when it closes meanwhile. */
  rest(lost: () => void): void {
    this.isReused = true;
    this.sweeps = 0;
    // Whatever comes now was not asked for, and must not be taken for the next reply.
    this.#load = { received: () => this.#socket?.terminate(), closed: lost };
    // What waits for a request that may never come must not keep a program from ending.
    this.#socket?.unref();
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** In good order, behind a reply that was its last. */
  end(): void {
    this.#load = null;
    this.#socket?.end();
  }

  /** At once, whatever is under way. */
  drop(): void {
    this.#load = null;
    this.#socket?.terminate();
  }

  opened(socket: Socket<Connection>): void {
    this.#socket = socket;
    // A vendor may think for minutes, and something in between may forget who is waiting.
    socket.setKeepAlive(true, probeAfterMs);
    this.#opening.resolve(this);
  }

  refused(socket: Socket<Connection>, error: Error | null): void {
    socket.terminate();
    this.#opening.reject(toFailure(error));
  }

  received(bytes: Buffer): void {
    this.#load?.received(bytes);
  }

  drained(): void {
    const unsent = this.#unsent;
    this.#unsent = null;
    if (unsent) this.write(unsent, unsent.length);
  }

  closed(): void {
    this.#opening.reject(new OutboundFailed("ConnectionClosed"));
    this.#load?.closed();
    this.#load = null;
  }

  #keepUnsent(bytes: Uint8Array): void {
    this.#unsent = this.#unsent ? Buffer.concat([this.#unsent, bytes]) : bytes;
  }
}

const events = {
  data: ({ data }, bytes) => data.received(bytes),
  drain: ({ data }) => data.drained(),
  close: ({ data }) => data.closed(),
  error: ({ data }) => data.drop(),
} satisfies SocketHandler<Connection>;

const plain: SocketHandler<Connection> = {
  ...events,
  open: (socket) => socket.data.opened(socket),
};

/** Nothing is said before the certificate is known to be good, for this very name. */
const secure: SocketHandler<Connection> = {
  ...events,
  handshake(socket, isTrusted, error) {
    if (isTrusted && socket.authorized) socket.data.opened(socket);
    else socket.data.refused(socket, error);
  },
};

/** The runtime's errors may name the address; only the kind of failure is kept. */
export function toFailure(error: unknown): OutboundFailed {
  if (error instanceof OutboundFailed) return error;
  if (!(error instanceof Error)) return new OutboundFailed("failed");
  const hasCode = "code" in error && typeof error.code === "string";
  return new OutboundFailed(hasCode ? String(error.code) : error.name);
}
