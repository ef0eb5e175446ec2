// A balancer in front of nodes, as mean as one can be: every request goes to another node than the
// one before it, also on one connection. Bytes pass as they are, as they come, both ways.
import { createServer, type Server, type Socket } from "node:net";
import { Line } from "./line.ts";
import { RequestCutter } from "./request-cutter.ts";

export interface BalancerNeeds {
  /** Ports of the nodes; to be known when the first client comes. */
  ports(): readonly number[];
  /** Resolves once all nodes know what any of them knows. */
  agreed(): Promise<void>;
  /** Resolves once all nodes have written down what they have answered. */
  written(): Promise<void>;
}

/** A node's change holds on the others within a second, and a test asks sooner. */
const changing = /^(?:POST|PUT|PATCH|DELETE) \/api\//;
/** A node shows what it has answered itself; of others, what cost nothing within a second. */
const reading = "GET /api/";
const lingerMs = 2000;

export class Balancer implements AsyncDisposable {
  readonly #needs: BalancerNeeds;
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  #turn = 0;

  private constructor(needs: BalancerNeeds) {
    this.#needs = needs;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
      this.#clients.add(client);
      client.on("close", () => this.#clients.delete(client));
      new Exchange(client, { ...needs, next: () => this.#next() });
    });
  }

  static async listening(needs: BalancerNeeds): Promise<Balancer> {
    const balancer = new Balancer(needs);
    await new Promise<void>((resolve) => balancer.#server.listen(0, "127.0.0.1", resolve));
    return balancer;
  }

  get url(): string {
    const address = this.#server.address();
    if (typeof address !== "object" || !address) throw new Error("it does not listen");
    return `http://127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    for (const client of this.#clients) client.destroy();
  }

  #next(): number {
    const ports = this.#needs.ports();
    return ports[this.#turn++ % ports.length] ?? 0;
  }
}

interface ExchangeNeeds extends Pick<BalancerNeeds, "agreed" | "written"> {
  /** The port whose turn it is. */
  next(): number;
}

/** One connection of a client, with one to each node that it has come to. */
class Exchange {
  readonly #client: Socket;
  readonly #needs: ExchangeNeeds;
  readonly #cutter = new RequestCutter();
  readonly #lines = new Map<number, Line>();
  /** The one that has the last request. */
  #line: Line;
  #isOver = false;
  #isAsked = false;
  #isAnswered = false;
  /** The answer may tell of a change. */
  #isChange = false;
  /** Until then it is held back. */
  #held: Promise<void> | null = null;

  constructor(client: Socket, needs: ExchangeNeeds) {
    this.#client = client;
    this.#needs = needs;
    // Taken at once: how long a connection may be idle is the node's to say.
    this.#line = this.#open(needs.next());
    client.on("data", (bytes: Buffer) => this.#hear(bytes));
    client.on("drain", () => this.#line.resume());
    client.on("end", () => this.#line.end());
    client.on("error", () => {});
    client.on("close", () => {
      for (const line of this.#lines.values()) line.destroy();
    });
  }

  /**
   * A client that is still sending reads the answer first: what comes is thrown away for a while.
   */
  #hangUp(): void {
    this.#isOver = true;
    this.#client.end();
    this.#client.resume();
    this.#client.once("end", () => this.#client.destroySoon());
    setTimeout(() => this.#client.destroySoon(), lingerMs).unref();
  }

  #hear(bytes: Buffer): void {
    if (this.#isOver) return;
    if (!this.#cutter.isBetween || bytes.toString("latin1", 0, reading.length) !== reading) {
      this.#send(bytes);
      return;
    }
    this.#client.pause();
    const pass = () => {
      this.#client.resume();
      this.#send(bytes);
    };
    void this.#needs.written().then(pass, pass);
  }

  #send(bytes: Buffer): void {
    for (const cut of this.#cutter.cut(bytes)) {
      if (cut.isFirst && this.#isAsked) this.#turn();
      this.#isAsked = true;
      if (cut.head !== null) this.#isChange = changing.test(cut.head);
      if (!this.#line.write(cut.bytes)) this.#client.pause();
    }
  }

  /** A client that sends the next before the last was answered wants the answers in that order. */
  #turn(): void {
    if (!this.#isAnswered) {
      this.#cutter.stay();
      return;
    }
    this.#isAnswered = false;
    const port = this.#needs.next();
    const known = this.#lines.get(port);
    this.#line = known && !known.isClosed ? known : this.#open(port);
  }

  #open(port: number): Line {
    const line: Line = new Line(port, {
      heard: (bytes) => this.#receive(line, bytes),
      drained: () => this.#client.resume(),
      ended: () => {
        if (line === this.#line) this.#afterAnswer(() => this.#client.end());
        else line.destroy();
      },
      closed: () => {
        if (line === this.#line) this.#afterAnswer(() => this.#hangUp());
      },
    });
    this.#lines.set(port, line);
    return line;
  }

  #receive(line: Line, bytes: Buffer): void {
    this.#isAnswered = true;
    if (!this.#isChange) {
      if (!this.#client.write(bytes)) line.pause();
      return;
    }
    this.#isChange = false;
    line.pause();
    const pass = () => {
      this.#held = null;
      if (this.#client.destroyed) return;
      this.#client.write(bytes);
      line.resume();
    };
    this.#held = this.#needs.agreed().then(pass, pass);
  }

  /** Bytes held back go first. */
  #afterAnswer(run: () => void): void {
    if (this.#held) void this.#held.then(run);
    else run();
  }
}
