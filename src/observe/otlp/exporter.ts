// Sends what was gathered to a collector over OTLP/HTTP with JSON, in batches, behind all requests.
// What the collector does not take in time is dropped and counted: nothing waits for it.
import type { Stop, Timers } from "../../core/clock.ts";
import type { Deadlines } from "../../core/deadline.ts";
import { plainTransport, type Send } from "../../core/outbound.ts";
import { describe, type Log } from "../../core/log.ts";

interface ExporterNeeds<Item> {
  send: Send;
  deadlines: Deadlines;
  timers: Timers;
  log: Log;
  url: string;
  headers: Readonly<Record<string, string>>;
  queueMax: number;
  intervalMs: number;
  /** The body of a request. */
  encode(items: readonly Item[]): string;
}

const batchMax = 512;
const callMs = 10_000;
const closeMs = 3000;
const replyBytesMax = 64 * 1024;

export class OtlpExporter<Item> {
  readonly #needs: ExporterNeeds<Item>;
  readonly #stop: Stop;
  #queue: Item[] = [];
  #flight: Promise<void> | null = null;
  #sent = 0;
  #dropped = 0;
  #isFaulted = false;

  constructor(needs: ExporterNeeds<Item>) {
    this.#needs = needs;
    this.#stop = needs.timers.every(needs.intervalMs, () => this.#tick());
  }

  get sent(): number {
    return this.#sent;
  }

  get dropped(): number {
    return this.#dropped;
  }

  add(item: Item): void {
    if (this.#queue.length >= this.#needs.queueMax) {
      this.#dropped++;
      return;
    }
    this.#queue.push(item);
    if (this.#queue.length >= batchMax) this.#tick();
  }

  /** Send the waiting spans, as far as the collector takes them in a moment. */
  async close(): Promise<void> {
    this.#stop();
    const over = Promise.withResolvers<void>();
    const watch = this.#needs.deadlines.watch(closeMs, () => over.resolve());
    await Promise.race([this.#sendAll(), over.promise]);
    watch.end();
  }

  async #sendAll(): Promise<void> {
    await this.#flight;
    while (this.#queue.length > 0) await this.#begin();
  }

  #tick(): void {
    if (!this.#flight && this.#queue.length > 0) void this.#begin();
  }

  #begin(): Promise<void> {
    const batch = this.#queue.slice(0, batchMax);
    this.#queue = this.#queue.slice(batchMax);
    const flight = this.#post(batch).finally(() => {
      this.#flight = null;
      if (this.#queue.length >= batchMax) this.#tick();
    });
    this.#flight = flight;
    return flight;
  }

  async #post(batch: readonly Item[]): Promise<void> {
    try {
      await this.#call(this.#needs.encode(batch));
      this.#sent += batch.length;
      this.#isFaulted = false;
    } catch (error) {
      this.#dropped += batch.length;
      // Once for as long as it lasts.
      if (!this.#isFaulted) {
        this.#needs.log.warn("the collector does not take what it is sent", {
          error: describe(error),
        });
      }
      this.#isFaulted = true;
    }
  }

  async #call(body: string): Promise<void> {
    const { send, deadlines, url } = this.#needs;
    const abort = new AbortController();
    const watch = deadlines.watch(callMs, () => abort.abort());
    try {
      const headers = { "content-type": "application/json", ...this.#needs.headers };
      const { signal } = abort;
      const transport = plainTransport;
      const reply = await send({ url, method: "POST", headers, body, transport, signal });
      await reply.bytes(replyBytesMax);
      if (reply.status >= 300) throw new Error(`it answered ${reply.status}`);
    } finally {
      watch.end();
    }
  }
}
