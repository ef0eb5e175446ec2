// A connection from the balancer to a node. What a node says before it hangs up is heard also while
// something is still being sent to it, which the platform's streams would lose.
import type { Socket } from "bun";

interface LineEnds {
  heard(bytes: Buffer): void;
  /** Everything is sent that was to be. */
  drained(): void;
  /** The node says nothing more. */
  ended(): void;
  closed(): void;
}

export class Line {
  readonly #ends: LineEnds;
  #socket: Socket | null = null;
  #unsent: Uint8Array[] = [];
  #isEnding = false;
  isClosed = false;

  constructor(port: number, ends: LineEnds) {
    this.#ends = ends;
    const close = () => this.#close();
    void Bun.connect({
      hostname: "127.0.0.1",
      port,
      allowHalfOpen: true,
      socket: {
        open: (socket) => {
          this.#socket = socket;
          socket.setNoDelay(true);
          if (this.isClosed) socket.terminate();
          else this.#flush();
        },
        data: (_socket, bytes) => ends.heard(bytes),
        drain: () => this.#flush(),
        end: () => ends.ended(),
        error: () => {},
        close,
        connectError: close,
      },
    }).catch(close);
  }

  /** False where the sender had better wait. */
  write(bytes: Uint8Array): boolean {
    this.#unsent.push(bytes);
    this.#flush();
    return this.#unsent.length === 0;
  }

  pause(): void {
    this.#socket?.pause();
  }

  resume(): void {
    this.#socket?.resume();
  }

  /** Nothing more is sent; what comes is still heard. */
  end(): void {
    this.#isEnding = true;
    this.#flush();
  }

  destroy(): void {
    this.isClosed = true;
    this.#socket?.terminate();
  }

  #flush(): void {
    const socket = this.#socket;
    if (!socket || this.isClosed) return;
    const wasFull = this.#unsent.length > 0;
    for (let bytes = this.#unsent.shift(); bytes; bytes = this.#unsent.shift()) {
      const sent = Math.max(0, socket.write(bytes));
      if (sent === bytes.length) continue;
      this.#unsent.unshift(bytes.subarray(sent));
      return;
    }
    if (wasFull) this.#ends.drained();
    if (this.#isEnding) socket.shutdown();
  }

  #close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.#ends.closed();
  }
}
