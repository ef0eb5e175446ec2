// Retries are a share of the requests, so that an outage upstream is not multiplied. A small float
// lets a quiet gateway fail over at all.

const floor = 20;
const cap = 1000;

export class RetryBudget {
  readonly #share: number;
  #credit = floor;

  constructor(percent: number) {
    this.#share = percent / 100;
  }

  /** Each request earns a part of a retry. */
  earn(): void {
    this.#credit = Math.min(this.#credit + this.#share, cap);
  }

  /** False when retries have had their share. */
  spend(): boolean {
    if (this.#credit < 1) return false;
    this.#credit--;
    return true;
  }
}
