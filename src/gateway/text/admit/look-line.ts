// The line before the second look: a few at once, and one of each account, so that no flood of
// requests without money keeps the meter from what is to be charged.

interface LookLimits {
  /** Counted at once. */
  atOnceMax: number;
  /** Waiting for their turn: all together, and of one account. */
  waitingMax: number;
  waitingOfAccountMax: number;
}

interface Waiting {
  accountId: string;
  go(): void;
}

export class LookLine {
  readonly #limits: LookLimits;
  /** Accounts that are looked at now. */
  readonly #looking = new Set<string>();
  #waiting: Waiting[] = [];

  constructor(limits: LookLimits) {
    this.#limits = limits;
  }

  /** Null, and nothing done, where too many wait already. */
  async run<T>(accountId: string, look: () => Promise<T>): Promise<T | null> {
    const turn = this.#enter(accountId);
    if (!turn) return null;
    await turn;
    try {
      return await look();
    } finally {
      this.#looking.delete(accountId);
      this.#callNext();
    }
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  #enter(accountId: string): Promise<void> | null {
    if (this.#isFree(accountId)) {
      this.#looking.add(accountId);
      return Promise.resolve();
    }
    const { waitingMax, waitingOfAccountMax } = this.#limits;
    const own = this.#waiting.filter((one) => one.accountId === accountId);
    if (this.#waiting.length >= waitingMax || own.length >= waitingOfAccountMax) return null;
    return new Promise((go) => this.#waiting.push({ accountId, go }));
  }

  #isFree(accountId: string): boolean {
    return this.#looking.size < this.#limits.atOnceMax && !this.#looking.has(accountId);
  }

  #callNext(): void {
    const at = this.#waiting.findIndex(({ accountId }) => this.#isFree(accountId));
    const [next] = at < 0 ? [] : this.#waiting.splice(at, 1);
    if (!next) return;
    this.#looking.add(next.accountId);
    next.go();
  }
}
