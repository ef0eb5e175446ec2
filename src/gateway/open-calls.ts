// The paid requests that run now, for who wants to see them or end one.
import { LinkedSet, type Linked } from "../core/linked-set.ts";
import type { OpenCall } from "./open-call.ts";

/** A call with the facts of its address and its socket. */
export interface RunningCall extends OpenCall, Linked<RunningCall> {
  readonly route: string;
  readonly ip: string;
}

export class OpenCalls {
  readonly #calls = new LinkedSet<RunningCall>();

  get all(): readonly RunningCall[] {
    return this.#calls.all();
  }

  get size(): number {
    return this.#calls.size;
  }

  find(requestId: string): RunningCall | null {
    return this.all.find(({ scope }) => scope.requestId === requestId) ?? null;
  }

  opened(call: RunningCall): void {
    this.#calls.add(call);
  }

  closed(call: RunningCall): void {
    this.#calls.delete(call);
  }
}
