// A way to a database on which notices can be lost: while it is deaf, nothing that the server says
// arrives on connections that listen. All others are left alone.
import { connect, createServer, type Server, type Socket } from "node:net";

export class DeafWire implements Disposable {
  isDeaf = false;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(serverPort: number) {
    this.#server = createServer((client) => this.#open(client, serverPort));
  }

  static async open(serverPort: number): Promise<DeafWire> {
    const wire = new DeafWire(serverPort);
    await new Promise<void>((resolve) => wire.#server.listen(0, "127.0.0.1", resolve));
    return wire;
  }

  /** The same database by this way. */
  through(url: string): string {
    const address = this.#server.address();
    const via = new URL(url);
    via.port = String(typeof address === "object" ? address?.port : "");
    return via.href;
  }

  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
  }

  #open(client: Socket, port: number): void {
    const server = connect({ host: "127.0.0.1", port, noDelay: true });
    client.setNoDelay(true);
    let isListening = false;
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.destroy();
      });
    }
    client.on("data", (bytes) => {
      isListening ||= /listen "?sluice/i.test(bytes.toString("latin1"));
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (!this.isDeaf || !isListening) client.write(bytes);
    });
  }
}
