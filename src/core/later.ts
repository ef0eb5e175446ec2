// Asking for what may not be there yet, without a promise for each time: whoever asks is told to
// ask again. For the pieces of a stream; elsewhere there are async iterables.

/** Undefined when there is nothing yet; `ready` is then called once asking again is worth it. */
export type Take<Value> = (ready: () => void) => Value | undefined;

/** Asks one who only promises in this way. */
export class Later<Value> {
  readonly #ask: () => Promise<Value>;
  #isAsked = false;
  #answer: { value: Value } | { error: unknown } | null = null;
  #ready: () => void = () => {};

  constructor(ask: () => Promise<Value>) {
    this.#ask = ask;
  }

  take(ready: () => void): Value | undefined {
    const answer = this.#answer;
    if (answer) {
      this.#answer = null;
      if ("error" in answer) throw answer.error;
      return answer.value;
    }
    this.#ready = ready;
    if (!this.#isAsked) this.#begin();
    return undefined;
  }

  #begin(): void {
    this.#isAsked = true;
    this.#ask().then(
      (value) => this.#settle({ value }),
      (error: unknown) => this.#settle({ error }),
    );
  }

  #settle(answer: { value: Value } | { error: unknown }): void {
    this.#isAsked = false;
    this.#answer = answer;
    this.#ready();
  }
}

/** The other way round: a promise of what will be there. */
export function taken<Value>(take: Take<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const look = () => {
      try {
        const value = take(look);
        if (value !== undefined) resolve(value);
      } catch (error) {
        reject(error);
      }
    };
    look();
  });
}
