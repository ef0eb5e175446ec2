// A way to a database that counts what is asked of it: the statements that go over the wire.
import type { Socket, TCPSocketListener } from "bun";

interface Ends {
  server: Socket<unknown> | null;
  /** Sent before the server was reached. */
  waiting: Uint8Array[];
  /** The part of a message that has not come whole. */
  rest: Buffer;
  hasStarted: boolean;
}

/** Messages of the client that have a statement run: Bind of a prepared one, and Query. */
const statementTypes = ["B", "Q"];
const headerBytes = 5;

export class CountingWire implements Disposable {
  readonly port: number;
  readonly #listener: TCPSocketListener<Ends>;
  statements = 0;

  constructor(serverPort: number) {
    this.#listener = Bun.listen<Ends>({
      hostname: "127.0.0.1",
      port: 0,
      socket: {
        open: (client) => void open(client, serverPort),
        data: (client, bytes) => this.#pass(client.data, bytes),
        close: (client) => void client.data.server?.end(),
      },
    });
    this.port = this.#listener.port;
  }

  [Symbol.dispose](): void {
    this.#listener.stop(true);
  }

  #pass(ends: Ends, bytes: Uint8Array): void {
    this.#count(ends, bytes);
    if (ends.server) ends.server.write(bytes);
    else ends.waiting.push(bytes.slice());
  }

  #count(ends: Ends, bytes: Uint8Array): void {
    let left = Buffer.concat([ends.rest, bytes]);
    while (left.length >= headerBytes) {
      // The first message of a connection has no type before its length.
      const typeBytes = ends.hasStarted ? 1 : 0;
      const length = typeBytes + left.readUInt32BE(typeBytes);
      if (left.length < length) break;
      if (ends.hasStarted && statementTypes.includes(left.toString("latin1", 0, 1))) {
        this.statements++;
      }
      ends.hasStarted = true;
      left = left.subarray(length);
    }
    ends.rest = Buffer.from(left);
  }
}

async function open(client: Socket<Ends>, port: number): Promise<void> {
  const ends: Ends = { server: null, waiting: [], rest: Buffer.alloc(0), hasStarted: false };
  client.data = ends;
  const server = await Bun.connect({
    hostname: "127.0.0.1",
    port,
    socket: {
      data: (_server, bytes) => void client.write(bytes),
      close: () => void client.end(),
    },
  });
  for (const bytes of ends.waiting) server.write(bytes);
  ends.server = server;
}
