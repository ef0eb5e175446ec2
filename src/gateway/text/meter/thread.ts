// The caller's side of the counting thread: started when it is needed, ended when it is not, and
// never waited for long. Whoever gets no count makes an estimate.
import type { Deadlines, Watch } from "../../../core/deadline.ts";
import type { Count, CountAnswer, CountCall, CountRequest } from "./meter-thread.ts";

export interface ThreadRules {
  /** The longest wait for a count. */
  waitMs: number;
  /** The stay of a thread without work. */
  idleMs: number;
  /**
   * Silence allowed to a thread that works, and the time in which one that failed is not replaced.
   */
  silenceMs: number;
  /** Bytes that may wait for the thread at one time. */
  queueBytesMax: number;
}

/** The part of a thread that is used. */
export interface CountingWorker {
  onmessage: ((event: MessageEvent<CountAnswer>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  addEventListener(name: "close", listen: () => void): void;
  postMessage(call: CountCall, transferred: ArrayBuffer[]): void;
  terminate(): void;
}

interface ThreadNeeds {
  deadlines: Deadlines;
  start(): CountingWorker;
}

interface Waiting {
  bytes: number;
  watch: Watch;
  resolve(count: Count | null): void;
}

export class CountingThread {
  readonly #needs: ThreadNeeds;
  readonly #rules: ThreadRules;
  readonly #waiting = new Map<number, Waiting>();
  #worker: CountingWorker | null = null;
  #silence: Watch | null = null;
  /** Not started again for now, or never. */
  #rest: "none" | "for now" | "for ever" = "none";
  #queueBytes = 0;
  #number = 0;

  constructor(needs: ThreadNeeds, rules: ThreadRules) {
    this.#needs = needs;
    this.#rules = rules;
  }

  /** Null when it cannot count, or not in time; `bytes` is what the request is long, roughly. */
  ask(
    request: CountRequest,
    bytes: number,
    waitMs: number = this.#rules.waitMs,
  ): Promise<Count | null> {
    const { deadlines } = this.#needs;
    const { silenceMs, queueBytesMax } = this.#rules;
    if (this.#queueBytes + bytes > queueBytesMax) return Promise.resolve(null);
    const worker = this.#running();
    if (!worker) return Promise.resolve(null);
    const number = ++this.#number;
    if (this.#waiting.size === 0) this.#silence?.extend(silenceMs);
    return new Promise((resolve) => {
      const watch = deadlines.watch(waitMs, () => {
        resolve(null);
        post(worker, { number, request: null });
      });
      this.#waiting.set(number, { bytes, watch, resolve });
      this.#queueBytes += bytes;
      post(worker, { number, request });
    });
  }

  close(): void {
    this.#end();
    this.#rest = "for ever";
  }

  #running(): CountingWorker | null {
    if (this.#worker || this.#rest !== "none") return this.#worker;
    const { deadlines, start } = this.#needs;
    try {
      const worker = start();
      worker.onmessage = (event: MessageEvent<CountAnswer>) => this.#settle(event.data);
      worker.onerror = (event) => {
        event.preventDefault();
        this.#fail(worker);
      };
      worker.addEventListener("close", () => this.#fail(worker));
      this.#worker = worker;
      this.#silence = deadlines.watch(this.#rules.idleMs, () => this.#silent(worker));
    } catch {
      this.#pauseStarts();
    }
    return this.#worker;
  }

  #settle({ number, count }: CountAnswer): void {
    const waiting = this.#waiting.get(number);
    if (!waiting) return;
    this.#waiting.delete(number);
    this.#queueBytes -= waiting.bytes;
    waiting.watch.end();
    waiting.resolve(count);
    const { idleMs, silenceMs } = this.#rules;
    this.#silence?.extend(this.#waiting.size > 0 ? silenceMs : idleMs);
  }

  #silent(worker: CountingWorker): void {
    if (this.#waiting.size > 0) this.#fail(worker);
    else this.#end();
  }

  #fail(worker: CountingWorker): void {
    // One that was ended says so later.
    if (worker !== this.#worker) return;
    this.#end();
    this.#pauseStarts();
  }

  #pauseStarts(): void {
    if (this.#rest !== "none") return;
    this.#rest = "for now";
    this.#needs.deadlines.watch(this.#rules.silenceMs, () => {
      if (this.#rest === "for now") this.#rest = "none";
    });
  }

  #end(): void {
    const worker = this.#worker;
    this.#worker = null;
    this.#silence?.end();
    this.#silence = null;
    worker?.terminate();
    for (const { watch, resolve } of this.#waiting.values()) {
      watch.end();
      resolve(null);
    }
    this.#waiting.clear();
    this.#queueBytes = 0;
  }
}

/** The bytes of a reply are a copy of their own and go over without another. */
function post(worker: CountingWorker, call: CountCall): void {
  const { request } = call;
  worker.postMessage(call, request?.kind === "reply" ? [request.bytes.buffer] : []);
}
