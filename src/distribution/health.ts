// The breaker of one channel: failures in a row take it out, for longer each time; one probe at a
// time decides whether it is back. So do reports of usage that cannot be.

export interface HealthRules {
  failuresToEject: number;
  ejectionMs: number;
  ejectionMsMax: number;
}

const doubtsToEject = 5;

export class Health {
  readonly #rules: HealthRules;
  #failuresInARow = 0;
  #doubtsInARow = 0;
  #ejections = 0;
  #ejectedUntilMs = 0;
  #isProbing = false;

  constructor(rules: HealthRules) {
    this.#rules = rules;
  }

  get ejectedUntilMs(): number {
    return this.#ejectedUntilMs;
  }

  isOut(nowMs: number): boolean {
    return this.#ejections > 0 && (nowMs < this.#ejectedUntilMs || this.#isProbing);
  }

  /** Called when an attempt starts; after an ejection the first one is the probe. */
  started(nowMs: number): void {
    if (this.#ejections > 0 && nowMs >= this.#ejectedUntilMs) this.#isProbing = true;
  }

  succeeded(): void {
    this.#failuresInARow = 0;
    this.#ejections = 0;
    this.#isProbing = false;
  }

  failed(nowMs: number): void {
    this.#failuresInARow++;
    const isProbe = this.#isProbing;
    this.#isProbing = false;
    if (!isProbe && this.#failuresInARow < this.#rules.failuresToEject) return;
    this.#eject(nowMs, this.#ejections);
  }

  /** What the vendor says was used cannot be, although it served. */
  doubted(nowMs: number): void {
    this.#doubtsInARow++;
    if (this.#doubtsInARow >= doubtsToEject) {
      this.#eject(nowMs, this.#doubtsInARow - doubtsToEject);
    }
  }

  /** What the vendor says was used can be. */
  trusted(): void {
    this.#doubtsInARow = 0;
  }

  /** The attempt said nothing about the channel: the client left or the request was refused. */
  released(): void {
    this.#isProbing = false;
  }

  #eject(nowMs: number, times: number): void {
    // Failures of requests that were already under way do not lengthen an ejection.
    if (nowMs < this.#ejectedUntilMs) return;
    const growth = 2 ** Math.min(times, 20);
    this.#ejectedUntilMs =
      nowMs + Math.min(this.#rules.ejectionMs * growth, this.#rules.ejectionMsMax);
    this.#ejections++;
  }
}
