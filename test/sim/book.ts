// The reference book: what must be true, derived from nothing but the list of what was decided.
// It keeps no running sums; every figure is added up anew from the holds and entries.

import type { CapMode } from "../../src/quota/cap.ts";

export interface Hold {
  id: string;
  account: string;
  key: string;
  micros: number;
  /** Caps that it was taken under. */
  caps: readonly string[];
}

export interface Entry {
  id: string;
  kind: "grant" | "post" | "void";
  account: string;
  key: string | null;
  held: number;
  micros: number;
  loss: number;
  caps: readonly string[];
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
  caps: readonly CapTerm[];
}

export interface CapTerm {
  id: string;
  account: string;
  mode: CapMode;
  limit: number;
}

export interface Sums {
  granted: number;
  held: number;
  spent: number;
}

export type Verdict =
  "admitted" | "insufficient_quota" | "insufficient_user_quota" | "budget_exceeded";

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
      const line = { id, kind: "grant", account, key: null, held: 0, micros, loss: 0 } as const;
      this.entries.set(id, { ...line, caps: [] });
      return;
    }
    const hold = this.open.get(decision.id);
    if (!hold) throw new Error(`the simulation closed ${decision.id}, which is not open`);
    this.open.delete(hold.id);
    const micros = decision.kind === "post" ? decision.micros : 0;
    const { id, account, key, caps } = hold;
    const { kind, loss } = decision;
    this.entries.set(id, { id, kind, account, key, held: hold.micros, micros, loss, caps });
  }

  sumsOfAccount(account: string): Sums {
    return this.#sums((line) => line.account === account);
  }

  sumsOfKey(key: string): Sums {
    return this.#sums((line) => line.key === key);
  }

  sumsOfCap(cap: string): Sums {
    return this.#sums(({ caps }) => caps.includes(cap));
  }

  /** Whether this much may be held: a key stays in its limit, an account in what it was given. */
  judge(account: string, key: string, micros: number, caps: readonly string[] = []): Verdict {
    if (micros > this.#leftOfKey(key)) return "insufficient_quota";
    if (micros > this.#leftOfAccount(account)) return "insufficient_user_quota";
    return micros > this.#leftOfCaps(caps) ? "budget_exceeded" : "admitted";
  }

  /** Verdict and hold where less will do than was asked for. */
  judgeLeast(
    { account, key, caps, micros }: Omit<Hold, "id">,
    least: number,
  ): { verdict: Verdict; held: number } {
    if (micros > 0 && caps.some((cap) => this.#isStopped(cap))) {
      return { verdict: "budget_exceeded", held: 0 };
    }
    const left = Math.min(
      this.#leftOfAccount(account),
      this.#leftOfKey(key),
      this.#leftOfCaps(caps),
    );
    const held = micros <= left ? micros : left;
    return { verdict: this.judge(account, key, held < least ? least : held, caps), held };
  }

  /** A charge may pass its hold only as far as account, key and hard caps have some not held. */
  chargeFor(hold: Hold, actual: number): number {
    const { account, key, caps } = hold;
    const beyond = Math.min(
      this.#leftOfAccount(account),
      this.#leftOfKey(key),
      this.#leftOfCaps(caps),
    );
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

  /** Left under the hard one that leaves least. */
  #leftOfCaps(caps: readonly string[]): number {
    const left = caps.map((cap) => {
      const { mode, limit } = this.#capTerm(cap);
      const { held, spent } = this.sumsOfCap(cap);
      return mode === "hard" ? limit - held - spent : Infinity;
    });
    return Math.min(Infinity, ...left);
  }

  #isStopped(cap: string): boolean {
    const { mode, limit } = this.#capTerm(cap);
    return mode === "stop" && this.sumsOfCap(cap).spent >= limit;
  }

  #capTerm(cap: string): CapTerm {
    const term = this.terms.caps.find(({ id }) => id === cap);
    if (!term) throw new Error(`the simulation has no ${cap}`);
    return term;
  }

  #sums(concerns: (line: Pick<Entry, "account" | "key" | "caps">) => boolean): Sums {
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
