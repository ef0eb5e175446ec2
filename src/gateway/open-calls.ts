// The paid requests that run now, for who wants to see them or end one.
import type { OpenCall } from "./open-call.ts";

/** What is known of it from its address and its socket. */
export interface RunningCall extends OpenCall {
  readonly route: string;
  readonly ip: string;
}

export class OpenCalls {
  readonly #calls = new Set<RunningCall>();

  get all(): Iterable<RunningCall> {
    return this.#calls;
  }

  get size(): number {
    return this.#calls.size;
  }

  find(requestId: string): RunningCall | null {
    for (const call of this.#calls) if (call.scope.requestId === requestId) return call;
    return null;
  }

  opened(call: RunningCall): void {
    this.#calls.add(call);
  }

  closed(call: RunningCall): void {
    this.#calls.delete(call);
  }
}
