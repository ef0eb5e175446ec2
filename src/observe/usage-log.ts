// The usage log, which is never in the way of money: rows wait in a bounded buffer and are written
// in batches behind the requests. A sink that fails is tried again; a full buffer drops and counts.
import type { Stop, Timers } from "../core/clock.ts";
import { describe, type Log } from "../core/log.ts";
import type { OutcomeKind } from "./outcome.ts";

export interface UsageRow {
  /** The request's id, or the task's whose end is told here: the id of the ledger's entry. */
  id: string;
  /** A request, or the end of a task that a request before it made. */
  kind: "request" | "task";
  /** When it came in, which is the moment its id was made in; of a task, when it ended. */
  atMs: number;
  accountId: string;
  keyId: string;
  keyName: string;
  group: string;
  route: string;
  model: string;
  channelId: string | null;
  channelName: string | null;
  status: number;
  outcome: OutcomeKind;
  stream: boolean;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  images: number;
  /** The length of what was made, of videos and sounds. */
  mediaMs: number;
  /** True when the tokens were counted here because the upstream did not tell. */
  estimated: boolean;
  micros: number;
  latencyMs: number;
  firstByteMs: number | null;
  attempts: number;
  ip: string;
  errorCode: string | null;
  /** Of a request, the task it made. */
  taskId: string | null;
}

export interface UsageLogSink {
  /** Some rows as a text, made while others still come in: many at once would hold up requests. */
  encode(rows: readonly UsageRow[]): string;
  /** Whole or not at all: after a failure it is given the same texts again. */
  write(documents: readonly string[]): Promise<void>;
}

interface UsageLogNeeds {
  sink: UsageLogSink;
  timers: Timers;
  log: Log;
}

const flushPeriodMs = 500;
const batchRowsMax = 500;
/** In one write they touch the same pages of the indices once; reads wait while it lasts. */
const batchesAtOnce = 4;
const bufferedRowsMax = 50_000;

interface ClosedBatch {
  document: string;
  rows: number;
}

export class UsageLog {
  readonly #sink: UsageLogSink;
  readonly #log: Log;
  readonly #stop: Stop;
  /** In order; the first ones are being written. */
  readonly #batches: ClosedBatch[] = [];
  #filling: UsageRow[] = [];
  #buffered = 0;
  #dropped = 0;
  #isFailing = false;
  #draining: Promise<void> | null = null;

  constructor({ sink, timers, log }: UsageLogNeeds) {
    this.#sink = sink;
    this.#log = log;
    this.#stop = timers.every(flushPeriodMs, () => void this.#drain());
  }

  /** Rows that wait to be written. */
  get buffered(): number {
    return this.#buffered;
  }

  get dropped(): number {
    return this.#dropped;
  }

  /** Never waits and never throws. */
  add(row: UsageRow): void {
    if (this.#buffered >= bufferedRowsMax) {
      this.#dropped += 1;
      return;
    }
    this.#filling.push(row);
    this.#buffered += 1;
    if (this.#filling.length < batchRowsMax) return;
    this.#closeBatch();
    // A sink that fails is left alone until the next tick, or every batch would call it again.
    if (this.#batches.length >= batchesAtOnce && !this.#isFailing) void this.#drain();
  }

  /** Writes all rows; gives up at the first failure, with the rows kept. */
  async flush(): Promise<void> {
    await this.#draining;
    await this.#drain();
  }

  async close(): Promise<void> {
    this.#stop();
    await this.flush();
  }

  #drain(): Promise<void> {
    if (this.#draining !== null) return this.#draining;
    if (this.#buffered === 0) return Promise.resolve();
    this.#draining = this.#writeAll().finally(() => {
      this.#draining = null;
    });
    return this.#draining;
  }

  async #writeAll(): Promise<void> {
    for (let batches = this.#first(); batches.length > 0; batches = this.#first()) {
      try {
        await this.#sink.write(batches.map(({ document }) => document));
      } catch (error) {
        this.#reportFailure(error);
        return;
      }
      this.#batches.splice(0, batches.length);
      for (const { rows } of batches) this.#buffered -= rows;
      this.#reportSuccess();
    }
  }

  #first(): ClosedBatch[] {
    if (this.#batches.length < batchesAtOnce && this.#filling.length > 0) this.#closeBatch();
    return this.#batches.slice(0, batchesAtOnce);
  }

  #closeBatch(): void {
    const rows = this.#filling;
    this.#filling = [];
    this.#batches.push({ document: this.#sink.encode(rows), rows: rows.length });
  }

  /** Said once when it starts and once when it ends, not at every try. */
  #reportFailure(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#log.warn("the usage log cannot be written", { error: describe(error) });
  }

  #reportSuccess(): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    this.#log.info("the usage log is written again", { dropped: this.#dropped });
  }
}
