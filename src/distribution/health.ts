// The breaker of one channel: failures in a row take it out, for longer each time; one probe at a
// time decides whether it is back. What only one account meets takes it out for that account alone;
// reports of usage that cannot be take it out for all.
import type { AccountId } from "../core/ids.ts";

export interface HealthRules {
  failuresToEject: number;
  ejectionMs: number;
  ejectionMsMax: number;
}

/** Several accounts, or whoever runs the gateway. */
const everyone = Symbol("everyone");
const doubtsToEject = 5;

export class Health {
  readonly #rules: HealthRules;
  #failuresInARow = 0;
  #doubtsInARow = 0;
  /** The one account that the failures are of, or everyone; null while there are none. */
  #failing: AccountId | typeof everyone | null = null;
  #ejections = 0;
  #ejectedUntilMs = 0;
  #isProbing = false;

  constructor(rules: HealthRules) {
    this.#rules = rules;
  }

  get failuresInARow(): number {
    return this.#failuresInARow;
  }

  get ejectedUntilMs(): number {
    return this.#ejectedUntilMs;
  }

  /** It was put aside and has not served since, whether or not its time is over. */
  get hasToProve(): boolean {
    return this.#ejections > 0;
  }

  /** For this account, or where none is named for any. */
  isOut(nowMs: number, accountId: AccountId | null = null): boolean {
    if (this.#ejections === 0 || !this.#isOf(accountId)) return false;
    return nowMs < this.#ejectedUntilMs || this.#isProbing;
  }

  /** Called when an attempt starts; after an ejection the first one is the probe. */
  started(nowMs: number, accountId: AccountId): void {
    if (this.#ejections === 0 || nowMs < this.#ejectedUntilMs) return;
    if (this.#isOf(accountId)) this.#isProbing = true;
  }

  succeeded(): void {
    this.#failuresInARow = 0;
    this.#failing = null;
    this.#ejections = 0;
    this.#isProbing = false;
  }

  /** Without an account it is a failure that any would have met. */
  failed(nowMs: number, accountId: AccountId | null = null): void {
    this.#failuresInARow++;
    const isMet = this.#isMet(accountId);
    const isProbe = this.#isProbing;
    this.#isProbing = false;
    if (!isProbe && this.#failuresInARow < this.#rules.failuresToEject) return;
    // Failures of requests that were already under way do not lengthen an ejection.
    if (nowMs >= this.#ejectedUntilMs || !isMet) this.#eject(nowMs, this.#ejections);
  }

  /** Note a usage report that cannot be, although the vendor served. */
  doubted(nowMs: number): void {
    this.#doubtsInARow++;
    if (this.#doubtsInARow < doubtsToEject || nowMs < this.#ejectedUntilMs) return;
    this.#failing = everyone;
    this.#eject(nowMs, this.#doubtsInARow - doubtsToEject);
  }

  /** Note a usage report that can be. */
  trusted(): void {
    this.#doubtsInARow = 0;
  }

  /** The attempt said nothing about the channel: the client left or the request was refused. */
  released(): void {
    this.#isProbing = false;
  }

  #eject(nowMs: number, times: number): void {
    const growth = 2 ** Math.min(times, 20);
    this.#ejectedUntilMs =
      nowMs + Math.min(this.#rules.ejectionMs * growth, this.#rules.ejectionMsMax);
    this.#ejections++;
  }

  #isOf(accountId: AccountId | null): boolean {
    return accountId === null || this.#failing === everyone || this.#failing === accountId;
  }

  /** Notes whose failure it was; false when now more meet it than before. */
  #isMet(accountId: AccountId | null): boolean {
    const before = this.#failing;
    if (before === everyone) return true;
    const isSame = accountId !== null && (before === null || before === accountId);
    this.#failing = isSame ? accountId : everyone;
    return before === null || isSame;
  }
}
