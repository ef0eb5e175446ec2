// A semaphore with a bounded queue: what finds no place in the queue is refused.
import { GatewayError } from "../core/errors.ts";

interface FewAtOnceLimits {
  runningMax: number;
  waitingMax: number;
}

export class FewAtOnce {
  readonly #limits: FewAtOnceLimits;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(limits: FewAtOnceLimits) {
    this.#limits = limits;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const { runningMax, waitingMax } = this.#limits;
    if (this.#running < runningMax) this.#running++;
    else if (this.#waiting.length < waitingMax) await this.#turn();
    else throw new GatewayError("overloaded", { retryAfterSeconds: 5 });
    try {
      return await work();
    } finally {
      // The place is handed on rather than given back, so no newcomer can slip in between.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  #turn(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}
