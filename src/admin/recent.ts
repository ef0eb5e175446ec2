// Answers for visitors, each made at most once in a while: anybody may ask as often as they like,
// so what they ask has to cost little.
import type { Clock } from "../core/clock.ts";

interface Kept<Value> {
  value: Value;
  untilMs: number;
}

export class Recent<Value> {
  readonly #clock: Clock;
  readonly #forMs: number;
  readonly #most: number;
  readonly #kept = new Map<string, Kept<Value>>();

  constructor(clock: Clock, { forMs, most }: { forMs: number; most: number }) {
    this.#clock = clock;
    this.#forMs = forMs;
    this.#most = most;
  }

  /** A promise is shared by all who ask meanwhile, and one that fails is not kept. */
  of(name: string, make: () => Value): Value {
    const nowMs = this.#clock.monotonicMs();
    const last = this.#kept.get(name);
    if (last && nowMs < last.untilMs) return last.value;
    const value = make();
    this.#kept.delete(name);
    this.#kept.set(name, { value, untilMs: nowMs + this.#forMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#most && oldest !== undefined) this.#kept.delete(oldest);
    if (value instanceof Promise) value.catch(() => this.#kept.delete(name));
    return value;
  }
}
