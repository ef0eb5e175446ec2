// Threads of data folders, taken again by the next gateway of a process: one that has closed its
// folder keeps nothing of it, and to start two takes a third of the work of starting a gateway.
import { systemThreads, type FolderThreads } from "../../../src/store/sqlite/open.ts";
import type { StoreWorker } from "../../../src/store/sqlite/thread.ts";

/** A gateway's use of one, from its start to its end. */
class RestingThread implements StoreWorker {
  onmessage: StoreWorker["onmessage"] = null;
  onerror: StoreWorker["onerror"] = null;
  readonly #worker: Worker;
  readonly #idle: Worker[];
  readonly #closed: (() => void)[] = [];
  readonly #close = () => {
    this.#hasFailed = true;
    for (const listen of this.#closed) listen();
  };
  #owed = 0;
  #hasFailed = false;

  constructor(idle: Worker[], start: () => Worker) {
    this.#idle = idle;
    this.#worker = idle.pop() ?? start();
    this.#worker.ref();
    this.#worker.addEventListener("close", this.#close);
    this.#worker.onmessage = (event) => {
      this.#owed -= 1;
      this.onmessage?.(event);
    };
    this.#worker.onerror = (event) => {
      this.#hasFailed = true;
      this.onerror?.(event);
    };
  }

  addEventListener(_name: "close", listen: () => void): void {
    this.#closed.push(listen);
  }

  postMessage(call: object): void {
    this.#owed += 1;
    this.#worker.postMessage(call);
  }

  /** An answer that it still owes would be taken for one to whoever has it next. */
  terminate(): void {
    const worker = this.#worker;
    worker.removeEventListener("close", this.#close);
    if (this.#hasFailed || this.#owed > 0) return worker.terminate();
    // A command that is no test ends all the same.
    worker.unref();
    this.#idle.push(worker);
  }
}

const [writers, archives]: [Worker[], Worker[]] = [[], []];

export const resting: FolderThreads = {
  startWriter: () => new RestingThread(writers, systemThreads.startWriter),
  startArchive: () => new RestingThread(archives, systemThreads.startArchive),
};
