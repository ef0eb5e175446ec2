// A way to a database that can be cut at the worst moment: when a commit has been sent and its
// answer has not come, or just before it is sent.
import type { Socket, TCPSocketListener } from "bun";

type Cut = "before" | "after";

interface Ends {
  server: Socket<unknown> | null;
  waiting: Uint8Array[];
  isCut: boolean;
}

export class CutWire implements Disposable {
  readonly port: number;
  readonly #listener: TCPSocketListener<Ends>;
  /** For the next commits, one each. */
  readonly cuts: Cut[] = [];

  constructor(serverPort: number) {
    this.#listener = Bun.listen<Ends>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (client) => void this.#open(client, serverPort),
        data: (client, bytes) => this.#pass(client, bytes),
        close: (client) => void client.data.server?.end(),
      },
      data: { server: null, waiting: [], isCut: false },
    });
    this.port = this.#listener.port;
  }

  [Symbol.dispose](): void {
    this.#listener.stop(true);
  }

  async #open(client: Socket<Ends>, port: number): Promise<void> {
    const ends: Ends = { server: null, waiting: [], isCut: false };
    client.data = ends;
    ends.server = await Bun.connect({
      hostname: "127.0.0.1",
      port,
      socket: {
        data(_server, bytes) {
          if (!ends.isCut) client.write(bytes);
          else client.terminate();
        },
        close: () => void client.end(),
      },
    });
    for (const bytes of ends.waiting) ends.server.write(bytes);
  }

  #pass(client: Socket<Ends>, bytes: Uint8Array): void {
    const { data: ends } = client;
    const cut = Buffer.from(bytes).includes("commit\0") ? this.cuts.shift() : undefined;
    if (cut === "before") {
      client.terminate();
      ends.server?.terminate();
      return;
    }
    // The answer of the server is what ends the wire, so the commit has surely been made.
    if (cut === "after") ends.isCut = true;
    if (ends.server) ends.server.write(bytes);
    else ends.waiting.push(bytes.slice());
  }
}
