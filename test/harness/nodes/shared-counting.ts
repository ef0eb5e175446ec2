// One thread with the tokenizer for all gateways of a process. It keeps nothing between calls, and
// to start another for each gateway takes longer than most tests do.
import { startCounting } from "../../../src/gateway/text/meter/meter.ts";
import type { CountAnswer, CountCall } from "../../../src/gateway/text/meter/meter-thread.ts";
import type { CountingWorker } from "../../../src/gateway/text/meter/thread.ts";

/** Caller behind each number of the thread's, and its own number. */
const asked = new Map<number, { by: SharedCounting; number: number }>();
let thread: CountingWorker | null = null;
let lastNumber = 0;

function running(): CountingWorker {
  if (thread) return thread;
  thread = startCounting();
  thread.onmessage = ({ data: { number, count } }) => {
    const call = asked.get(number);
    asked.delete(number);
    call?.by.hear({ number: call.number, count });
  };
  return thread;
}

/** A gateway's part of it, which ends with the gateway. */
export class SharedCounting implements CountingWorker {
  onmessage: CountingWorker["onmessage"] = null;
  onerror: CountingWorker["onerror"] = null;
  readonly #numbers = new Map<number, number>();

  /** The thread lives on, so nobody is told of its end. */
  addEventListener(): void {}

  postMessage({ number, request }: CountCall, transferred: ArrayBuffer[]): void {
    const shared = request ? ++lastNumber : this.#numbers.get(number);
    if (shared === undefined) return;
    if (request) {
      this.#numbers.set(number, shared);
      asked.set(shared, { by: this, number });
    }
    running().postMessage({ number: shared, request }, transferred);
  }

  hear(answer: CountAnswer): void {
    this.#numbers.delete(answer.number);
    this.onmessage?.(new MessageEvent("message", { data: answer }));
  }

  terminate(): void {
    for (const shared of this.#numbers.values()) asked.delete(shared);
    this.#numbers.clear();
  }
}
