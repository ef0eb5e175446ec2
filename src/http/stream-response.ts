// Turns a byte source into a response body that pulls: a slow client slows its upstream. Quiet
// spells are bridged by bytes that mean nothing, and a client that stops reading is dropped.
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
    return new ReadableStream<Uint8Array>({
      start: (controller) => passage.begin(controller),
      pull: () => passage.pull(),
      cancel: () => passage.leave(),
    });
  }
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** One source on its way to one client. */
class Passage {
  readonly #source: ByteSource;
  readonly #filler: Uint8Array | null;
  readonly #rules: StreamRules;
  readonly #ended: () => void;
  readonly #quiet: Watch;
  readonly #stalled: Watch;
  #controller: Controller | null = null;
  #isPulling = false;

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
    this.#stalled = rules.deadlines.watch(rules.writeStallMs, () => this.#drop());
  }

  begin(controller: Controller): void {
    this.#controller = controller;
  }

  pull(): Promise<void> {
    this.#isPulling = true;
    return this.#source.pull().then(this.#pass, this.#fail);
  }

  /** The client is gone. */
  leave(): void {
    this.#close();
    this.#source.cancel();
  }

  readonly #pass = (bytes: Uint8Array | null): void => {
    this.#isPulling = false;
    if (bytes === null) {
      this.#close();
      this.#controller?.close();
      return;
    }
    this.#quiet.extend(this.#rules.keepAliveMs);
    this.#stalled.extend(this.#rules.writeStallMs);
    this.#controller?.enqueue(bytes);
  };

  readonly #fail = (error: unknown): never => {
    this.#close();
    throw error;
  };

  /** Only whole pieces are ever enqueued, so the filler cannot land inside one. */
  #fill(): void {
    const mayFill = this.#isPulling && this.#source.isWhole !== false;
    if (this.#filler && mayFill) this.#controller?.enqueue(this.#filler);
    this.#quiet.extend(this.#rules.keepAliveMs);
  }

  #drop(): void {
    if (this.#isPulling) return this.#stalled.extend(this.#rules.writeStallMs);
    this.#controller?.error(new Error("the client stopped reading"));
    this.leave();
  }

  #close(): void {
    this.#quiet.end();
    this.#stalled.end();
    this.#ended();
  }
}
