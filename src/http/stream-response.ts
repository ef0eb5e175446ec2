// Turns a byte source into a response body that pulls: a slow client slows its upstream. Quiet
// spells are bridged by bytes that mean nothing, and a client that stops reading is dropped.
import type { Deadlines } from "../core/deadline.ts";
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
    const { deadlines, keepAliveMs, writeStallMs } = this.#rules;
    this.#sources.add(source);
    let isPulling = false;
    let controller: ReadableStreamDefaultController<Uint8Array> | null = null;
    // Only whole pieces are ever enqueued, so the filler cannot land inside one.
    const quiet = deadlines.watch(keepAliveMs, () => {
      if (isPulling && filler && source.isWhole !== false) controller?.enqueue(filler);
      quiet.extend(keepAliveMs);
    });
    const stalled = deadlines.watch(writeStallMs, () => {
      if (isPulling) return stalled.extend(writeStallMs);
      controller?.error(new Error("the client stopped reading"));
      leave();
    });
    const close = () => {
      quiet.end();
      stalled.end();
      this.#sources.delete(source);
    };
    const leave = () => {
      close();
      source.cancel();
    };
    return new ReadableStream<Uint8Array>({
      start(started) {
        controller = started;
      },
      async pull(target) {
        isPulling = true;
        const bytes = await source.pull().catch((error: unknown) => {
          close();
          throw error;
        });
        isPulling = false;
        if (bytes === null) {
          close();
          target.close();
          return;
        }
        quiet.extend(keepAliveMs);
        stalled.extend(writeStallMs);
        target.enqueue(bytes);
      },
      cancel: leave,
    });
  }
}
