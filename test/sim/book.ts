// The reference book: what must be true, derived from nothing but the list of what was decided.
// It keeps no running sums; every figure is added up anew from the holds and entries.

export interface Hold {
  id: string;
  account: string;
  key: string;
  micros: number;
}

export interface Entry {
  id: string;
  kind: "grant" | "post" | "void";
  account: string;
  key: string | null;
  held: number;
  micros: number;
  loss: number;
}

export type Decision =
  | { kind: "hold"; hold: Hold }
  | { kind: "post"; id: string; micros: number; loss: number }
  | { kind: "void"; id: string; loss: number }
  | { kind: "grant"; id: string; account: string; micros: number };

/** Terms that do not change: who is unlimited, which key is whose and how far it may go. */
export interface Terms {
  accounts: readonly { id: string; unlimited: boolean }[];
  keys: readonly { id: string; account: string; limit: number | null }[];
}

export interface Sums {
  granted: number;
  held: number;
  spent: number;
}

export type Verdict = "admitted" | "insufficient_quota" | "insufficient_user_quota";

export class Book {
  readonly terms: Terms;
  readonly open = new Map<string, Hold>();
  readonly entries = new Map<string, Entry>();

  constructor(terms: Terms) {
    this.terms = terms;
  }

  apply(decision: Decision): void {
    if (decision.kind === "hold") {
      this.open.set(decision.hold.id, decision.hold);
      return;
    }
    if (decision.kind === "grant") {
      const { id, account, micros } = decision;
      this.entries.set(id, { id, kind: "grant", account, key: null, held: 0, micros, loss: 0 });
      return;
    }
    const hold = this.open.get(decision.id);
    if (!hold) throw new Error(`the simulation closed ${decision.id}, which is not open`);
    this.open.delete(hold.id);
    const micros = decision.kind === "post" ? decision.micros : 0;
    const { id, account, key } = hold;
    const { kind, loss } = decision;
    this.entries.set(id, { id, kind, account, key, held: hold.micros, micros, loss });
  }

  sumsOfAccount(account: string): Sums {
    return this.#sums((line) => line.account === account);
  }

  sumsOfKey(key: string): Sums {
    return this.#sums((line) => line.key === key);
  }

  /** Whether this much may be held: a key stays in its limit, an account in what it was given. */
  judge(account: string, key: string, micros: number): Verdict {
    if (micros > this.#leftOfKey(key)) return "insufficient_quota";
    return micros > this.#leftOfAccount(account) ? "insufficient_user_quota" : "admitted";
  }

  /** Verdict and hold where less will do than was asked for. */
  judgeLeast(
    { account, key, micros }: Omit<Hold, "id">,
    least: number,
  ): { verdict: Verdict; held: number } {
    const left = Math.min(this.#leftOfAccount(account), this.#leftOfKey(key));
    const held = micros <= left ? micros : left;
    return { verdict: this.judge(account, key, held < least ? least : held), held };
  }

  /** A charge may pass its hold only as far as account and key have money that is not held. */
  chargeFor(hold: Hold, actual: number): number {
    const beyond = Math.min(this.#leftOfAccount(hold.account), this.#leftOfKey(hold.key));
    return Math.min(actual, hold.micros + beyond);
  }

  /** Taking back takes at most the balance. */
  grantFor(account: string, wanted: number): number {
    const left = this.#leftOfAccount(account);
    return wanted < 0 && -wanted > left ? -left : wanted;
  }

  #leftOfAccount(account: string): number {
    if (this.terms.accounts.find(({ id }) => id === account)?.unlimited) return Infinity;
    const { granted, held, spent } = this.sumsOfAccount(account);
    return granted - held - spent;
  }

  #leftOfKey(key: string): number {
    const limit = this.terms.keys.find(({ id }) => id === key)?.limit ?? null;
    if (limit === null) return Infinity;
    const { held, spent } = this.sumsOfKey(key);
    return limit - held - spent;
  }

  #sums(concerns: (line: { account: string; key: string | null }) => boolean): Sums {
    const sums = { granted: 0, held: 0, spent: 0 };
    for (const hold of this.open.values()) if (concerns(hold)) sums.held += hold.micros;
    for (const entry of this.entries.values()) {
      if (!concerns(entry)) continue;
      if (entry.kind === "grant") sums.granted += entry.micros;
      if (entry.kind === "post") sums.spent += entry.micros;
    }
    return sums;
  }
}
