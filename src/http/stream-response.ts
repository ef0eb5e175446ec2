// Writes a byte source to a client under backpressure: a slow client slows its upstream. Keep-alive
// bytes bridge quiet spells, and a client that stops reading is dropped.
import type { Deadlines, Watch } from "../core/deadline.ts";
import { LinkedSet, type Linked } from "../core/linked-set.ts";
import type { ByteSource } from "../gateway/answer.ts";

export interface StreamRules {
  deadlines: Deadlines;
  keepAliveMs: number;
  writeStallMs: number;
}

/** Told once when the answer has come to its end: its connection rests from here on. */
export interface Answered {
  answered(): void;
}

export class OpenStreams {
  readonly #passages = new LinkedSet<Passage>();
  readonly #rules: StreamRules;

  constructor(rules: StreamRules) {
    this.#rules = rules;
  }

  get size(): number {
    return this.#passages.size;
  }

  interrupt(): void {
    for (const passage of this.#passages.all()) passage.interrupt();
  }

  /** `filler`, if any, may stand between any two pieces without changing what they say. */
  open(
    source: ByteSource,
    filler: Uint8Array | null,
    connection: Answered | null = null,
  ): ReadableStream<Uint8Array> {
    const passage = new Passage({ source, filler, connection }, this.#rules, this.#passages);
    // A stream with a queue of its own would cost several promises for every piece.
    return new ReadableStream<Uint8Array>({
      type: "direct",
      pull: (client) => passage.run(client),
      cancel: () => passage.leave(),
    });
  }
}

interface Passed {
  source: ByteSource;
  filler: Uint8Array | null;
  connection: Answered | null;
}

/** One source on its way to one client. */
class Passage implements Linked<Passage> {
  next: Passage | null = null;
  previous: Passage | null = null;
  readonly #source: ByteSource;
  readonly #filler: Uint8Array | null;
  readonly #connection: Answered | null;
  readonly #rules: StreamRules;
  readonly #open: LinkedSet<Passage>;
  readonly #quiet: Watch;
  #client: ReadableStreamDirectController | null = null;
  readonly #done = Promise.withResolvers<void>();
  /** For the source. */
  #isWaiting = false;
  /** The client is. */
  #isBehind = false;
  #isOver = false;

  constructor(
    { source, filler, connection }: Passed,
    rules: StreamRules,
    open: LinkedSet<Passage>,
  ) {
    this.#source = source;
    this.#filler = filler;
    this.#connection = connection;
    this.#rules = rules;
    this.#open = open;
    open.add(this);
    this.#quiet = rules.deadlines.watch(rules.keepAliveMs, () => this.#fill());
  }

  /** Called once. A failure breaks the connection off, so that nothing looks complete. */
  run(client: ReadableStreamDirectController): Promise<void> {
    this.#client = client;
    this.#advance();
    return this.#done.promise;
  }

  interrupt(): void {
    this.#source.interrupt();
  }

  /** The client is gone. */
  leave(): void {
    if (this.#isOver) return;
    this.#close();
    this.#done.resolve();
    this.#source.cancel();
  }

  /** Passes on what there is; called again when there is more. */
  readonly #advance = (): void => {
    this.#isWaiting = false;
    try {
      while (!this.#isOver && !this.#isBehind) {
        const bytes = this.#source.take(this.#advance);
        if (bytes === undefined) {
          this.#isWaiting = true;
          return;
        }
        if (bytes === null) return this.#end();
        this.#pass(bytes);
      }
    } catch (error) {
      this.#fail(error);
    }
  };

  #pass(bytes: Uint8Array): void {
    this.#quiet.extend(this.#rules.keepAliveMs);
    // It is sent with the end of this turn. A promise means that the client is behind.
    const taken = this.#client?.write(bytes);
    if (typeof taken === "object") void this.#drained(taken);
  }

  async #drained(taken: Promise<number>): Promise<void> {
    this.#isBehind = true;
    const stalled = this.#rules.deadlines.watch(this.#rules.writeStallMs, () => {
      this.#client?.close(new Error("the client stopped reading"));
      this.leave();
    });
    await taken;
    stalled.end();
    this.#isBehind = false;
    this.#advance();
  }

  /** Only whole pieces are ever written, so the filler cannot land inside one. */
  #fill(): void {
    const mayFill = this.#isWaiting && this.#source.isWhole !== false;
    if (this.#filler && mayFill) void this.#client?.write(this.#filler);
    this.#quiet.extend(this.#rules.keepAliveMs);
  }

  #end(): void {
    this.#close();
    this.#client?.close();
    this.#done.resolve();
  }

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#close();
    this.#done.reject(error);
  }

  #close(): void {
    this.#isOver = true;
    this.#quiet.end();
    this.#open.delete(this);
    this.#connection?.answered();
  }
}
