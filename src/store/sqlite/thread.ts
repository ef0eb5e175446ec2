// Calls into a thread: numbered requests, answered in any order, each exactly once.
import { StoreError, type StoreFaultKind } from "../store.ts";

export interface Call<Request> {
  number: number;
  request: Request;
}

export type ThreadReply<Reply> =
  | { number: number; reply: Reply }
  | { number: number; fault: { kind: StoreFaultKind; message: string } };

/** The part of a worker that is used. */
export interface StoreWorker {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  addEventListener(name: "close", listen: () => void): void;
  postMessage(call: object): void;
  terminate(): void;
}

interface Waiting<Reply> {
  resolve(reply: Reply): void;
  reject(error: StoreError): void;
}

/** The caller's side. */
export class Thread<Request, Reply> {
  readonly #worker: StoreWorker;
  readonly #waiting = new Map<number, Waiting<Reply>>();
  #number = 0;
  #closed = false;

  constructor(worker: StoreWorker) {
    this.#worker = worker;
    worker.onmessage = (event: MessageEvent<ThreadReply<Reply>>) => this.#settle(event.data);
    worker.onerror = (event) => this.#fail(event.message);
    worker.addEventListener("close", () => this.#fail("the thread ended"));
  }

  call(request: Request): Promise<Reply> {
    if (this.#closed) return Promise.reject(new StoreError("closed", "the store is closed"));
    const number = ++this.#number;
    return new Promise((resolve, reject) => {
      this.#waiting.set(number, { resolve, reject });
      const call: Call<Request> = { number, request };
      this.#worker.postMessage(call);
    });
  }

  terminate(): void {
    this.#closed = true;
    this.#worker.terminate();
  }

  #settle(answer: ThreadReply<Reply>): void {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if ("fault" in answer) {
      waiting?.reject(new StoreError(answer.fault.kind, answer.fault.message));
    } else {
      waiting?.resolve(answer.reply);
    }
  }

  #fail(reason: string): void {
    this.#closed = true;
    for (const waiting of this.#waiting.values()) waiting.reject(new StoreError("closed", reason));
    this.#waiting.clear();
  }
}
