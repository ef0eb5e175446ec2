// Rests of one key after its vendor called it busy: for the model that was asked for, because most
// vendors limit each model apart, or for all of them where the vendor says that it is the account.

interface Resting {
  untilMs: number;
  /** Vendor's names of them; null where it rests for all. */
  models: readonly string[] | null;
}

export class KeyRests {
  #wholeUntilMs = 0;
  readonly #untilMs = new Map<string, number>();

  /** The vendor's last word holds. `model` is null where it is about all of them. */
  rest(model: string | null, untilMs: number, nowMs: number): void {
    for (const [known, until] of this.#untilMs) if (until <= nowMs) this.#untilMs.delete(known);
    if (model === null) this.#wholeUntilMs = untilMs;
    else this.#untilMs.set(model, untilMs);
  }

  /** End of its rest by the monotonic clock; past where it may be used for the model. */
  untilMs(model: string): number {
    return Math.max(this.#wholeUntilMs, this.#untilMs.get(model) ?? 0);
  }

  /** Until the last of its rests is over; null where it rests for nothing. */
  at(nowMs: number): Resting | null {
    if (this.#wholeUntilMs > nowMs) return { untilMs: this.#wholeUntilMs, models: null };
    const resting = [...this.#untilMs].filter(([, until]) => until > nowMs);
    if (resting.length === 0) return null;
    const untilMs = Math.max(...resting.map(([, until]) => until));
    return { untilMs, models: resting.map(([model]) => model) };
  }
}
