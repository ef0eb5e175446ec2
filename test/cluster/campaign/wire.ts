// The way of one node to the database. It can be cut, fall silent, or lose the answer of a commit
// that the database has made; and it leads to whichever server is the one that writes.
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

/** With "before" the database never hears of it, with "after" the node never hears of the end. */
type Loss = "before" | "after";

interface Line {
  node: Socket;
  server: Socket;
  isDeaf: boolean;
}

/** Marks of a turn that closes something in its document, and of the end of every other commit. */
const marks = ['"entries":[[', "commit\0"];

export class NodeWire implements Disposable {
  readonly #listener: Server;
  readonly #lines = new Set<Line>();
  readonly #lost: () => void;
  #losses: Loss[] = [];
  #isSilent = false;

  private constructor(listener: Server, lost: () => void) {
    this.#listener = listener;
    this.#lost = lost;
  }

  /** `lost` is called for each answer that was lost. */
  static async open(serverPort: () => number, lost: () => void): Promise<NodeWire> {
    const listener = createServer();
    const wire = new NodeWire(listener, lost);
    listener.on("connection", (node) => wire.#open(node, serverPort()));
    await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
    return wire;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  /** Losses of the next commits, one each. */
  lose(...losses: Loss[]): void {
    this.#losses.push(...losses);
  }

  /** Connections stay, and nothing comes through. */
  fallSilent(): void {
    this.#isSilent = true;
  }

  /** A silenced connection is not taken up again; new connections pass. */
  cut(): void {
    this.#isSilent = false;
    for (const line of this.#lines) this.#end(line);
  }

  [Symbol.dispose](): void {
    this.cut();
    this.#listener.close();
  }

  #open(node: Socket, port: number): void {
    const line: Line = { node, server: connect(port, "127.0.0.1"), isDeaf: false };
    this.#lines.add(line);
    line.node.setNoDelay(true);
    line.server.setNoDelay(true);
    node.on("data", (bytes: Buffer) => this.#send(line, bytes));
    line.server.on("data", (bytes: Buffer) => this.#answer(line, bytes));
    for (const socket of [node, line.server]) {
      socket.on("close", () => this.#end(line));
      socket.on("error", () => this.#end(line));
    }
  }

  #send(line: Line, bytes: Buffer): void {
    if (this.#isSilent) return;
    const isCommit = this.#losses.length > 0 && marks.some((mark) => bytes.includes(mark));
    const loss = isCommit ? this.#losses.shift() : undefined;
    if (loss) this.#lost();
    if (loss === "before") this.#end(line);
    else {
      line.isDeaf ||= loss === "after";
      line.server.write(bytes);
    }
  }

  #answer(line: Line, bytes: Buffer): void {
    if (this.#isSilent) return;
    // That there is an answer is what proves that the commit was made.
    if (line.isDeaf) this.#end(line);
    else line.node.write(bytes);
  }

  #end(line: Line): void {
    this.#lines.delete(line);
    line.node.destroy();
    line.server.destroy();
  }
}
