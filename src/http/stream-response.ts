// Writes a byte source to a client as fast as the client takes it: a slow one slows its upstream.
// Quiet spells are bridged by bytes that mean nothing, and a client that stops reading is dropped.
import type { Deadlines, Watch } from "../core/deadline.ts";
import type { ByteSource } from "../gateway/answer.ts";

export interface StreamRules {
  deadlines: Deadlines;
  keepAliveMs: number;
  writeStallMs: number;
}

export class OpenStreams {
  readonly #sources = new Set<ByteSource>();
  readonly #rules: StreamRules;

  constructor(rules: StreamRules) {
    this.#rules = rules;
  }

  get size(): number {
    return this.#sources.size;
  }

  interrupt(): void {
    for (const source of this.#sources) source.interrupt();
  }

  /** `filler`, if any, may stand between any two pieces without changing what they say. */
  open(source: ByteSource, filler: Uint8Array | null): ReadableStream<Uint8Array> {
    this.#sources.add(source);
    const passage = new Passage(source, filler, this.#rules, () => this.#sources.delete(source));
    // A stream with a queue of its own would cost several promises for every piece.
    return new ReadableStream<Uint8Array>({
      type: "direct",
      pull: (client) => passage.run(client),
      cancel: () => passage.leave(),
    });
  }
}

/** One source on its way to one client. */
class Passage {
  readonly #source: ByteSource;
  readonly #filler: Uint8Array | null;
  readonly #rules: StreamRules;
  readonly #ended: () => void;
  readonly #quiet: Watch;
  #client: ReadableStreamDirectController | null = null;
  #isPulling = false;
  #isOver = false;

  constructor(
    source: ByteSource,
    filler: Uint8Array | null,
    rules: StreamRules,
    ended: () => void,
  ) {
    this.#source = source;
    this.#filler = filler;
    this.#rules = rules;
    this.#ended = ended;
    this.#quiet = rules.deadlines.watch(rules.keepAliveMs, () => this.#fill());
  }

  /** Called once. What it throws breaks the connection off, so that nothing looks complete. */
  async run(client: ReadableStreamDirectController): Promise<void> {
    this.#client = client;
    try {
      while (!this.#isOver) {
        this.#isPulling = true;
        const bytes = await this.#source.pull();
        this.#isPulling = false;
        if (this.#isOver) return;
        if (bytes === null) return this.#end(client);
        this.#quiet.extend(this.#rules.keepAliveMs);
        // It is sent with the end of this turn. A promise means that the client is behind.
        const taken = client.write(bytes);
        if (typeof taken !== "number") await this.#drained(client, taken);
      }
    } catch (error) {
      if (this.#isOver) return;
      this.#close();
      throw error;
    }
  }

  /** The client is gone. */
  leave(): void {
    if (this.#isOver) return;
    this.#close();
    this.#source.cancel();
  }

  async #drained(client: ReadableStreamDirectController, taken: Promise<number>): Promise<void> {
    const stalled = this.#rules.deadlines.watch(this.#rules.writeStallMs, () => {
      client.close(new Error("the client stopped reading"));
      this.leave();
    });
    await taken;
    stalled.end();
  }

  /** Only whole pieces are ever written, so the filler cannot land inside one. */
  #fill(): void {
    const mayFill = this.#isPulling && this.#source.isWhole !== false;
    if (this.#filler && mayFill) void this.#client?.write(this.#filler);
    this.#quiet.extend(this.#rules.keepAliveMs);
  }

  #end(client: ReadableStreamDirectController): void {
    this.#close();
    client.close();
  }

  #close(): void {
    this.#isOver = true;
    this.#quiet.end();
    this.#ended();
  }
}
