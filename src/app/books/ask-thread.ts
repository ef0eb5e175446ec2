// The thread that reads whole books, as it is asked: one question at a time. Whoever looks at an
// account looks at the next soon, so it stays for a while.
import { systemTimers, type Stop } from "../../core/clock.ts";
import type { BooksQuestion, BooksReply } from "./books-thread.ts";

const idleMs = 10_000;

export class BooksThread {
  #worker: Worker | null = null;
  #stopWaiting: Stop = () => {};

  /** To be asked again only when it has answered. */
  async ask(question: BooksQuestion): Promise<BooksReply> {
    this.#stopWaiting();
    this.#worker ??= start();
    const { promise, resolve, reject } = Promise.withResolvers<BooksReply>();
    this.#worker.onmessage = (event: MessageEvent<BooksReply>) => resolve(event.data);
    this.#worker.onerror = (event) => reject(new Error(event.message));
    this.#worker.postMessage(question);
    try {
      const reply = await promise;
      this.#stopWaiting = systemTimers.after(idleMs, () => this.#end());
      if ("fault" in reply) throw new Error(reply.fault);
      return reply;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  #end(): void {
    this.#stopWaiting();
    this.#worker?.terminate();
    this.#worker = null;
  }
}

function start(): Worker {
  const worker = new Worker(new URL("./books-thread.ts", import.meta.url), { smol: true });
  // A gateway that has nothing else to do may end.
  worker.unref();
  return worker;
}
