// A vendor that sends one piece over and over, as fast as it is read, and counts how much it got
// rid of before the other side left.
import { createServer, type AddressInfo, type Socket } from "node:net";

export interface FloodOptions {
  /** Status line and headers, without the blank line. */
  head: string;
  /** Sent once before the flood. */
  first?: string;
  piece: Uint8Array;
  bytesMax: number;
}

export class Flood implements AsyncDisposable {
  readonly url: string;
  /** Bytes of pieces that went out. */
  sentBytes = 0;
  /** Resolves when a client of it has left, or has got everything. */
  readonly left: Promise<void>;
  readonly #server;
  readonly #sockets = new Set<Socket>();

  private constructor(options: FloodOptions, server: ReturnType<typeof createServer>) {
    const left = Promise.withResolvers<void>();
    this.left = left.promise;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => left.resolve());
      socket.once("data", () => {
        socket.write(`${options.head}\r\n\r\n${options.first ?? ""}`);
        this.#pour(socket, options);
      });
    });
  }

  static async open(options: FloodOptions): Promise<Flood> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new Flood(options, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #pour(socket: Socket, options: FloodOptions): void {
    const { piece, bytesMax } = options;
    while (!socket.destroyed && this.sentBytes < bytesMax) {
      this.sentBytes += piece.length;
      if (!socket.write(piece)) {
        socket.once("drain", () => this.#pour(socket, options));
        return;
      }
    }
    socket.end();
  }
}
