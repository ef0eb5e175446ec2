// Answers to the clients of the campaign, to be held against the books.

export interface Payer {
  id: string;
  /** A key without a limit, and one whose limit is near. */
  keys: readonly [free: PayerKey, limited: PayerKey];
  isRich: boolean;
}

export interface PayerKey {
  id: string;
  key: string;
}

/** An answer that came whole, and what it must have cost. */
export interface Acknowledged {
  id: string;
  accountId: string;
  micros: number;
}

export interface Credit {
  id: string;
  accountId: string;
  micros: number;
}

export interface AcceptedTask {
  id: string;
  accountId: string;
  micros: number;
}

export class Seen {
  /** Since the last look at the books. */
  fresh: Acknowledged[] = [];
  acknowledged = 0;
  acknowledgedMicros = 0;
  /** Told that it was not served and costs nothing, by the id of the request. */
  readonly refused = new Set<string>();
  freshRefused: string[] = [];
  readonly statuses = new Map<string, number>();
  /** Requests that may have been charged, by account: whole, or without an answer. */
  readonly chargeable = new Map<string, number>();
  /** Confirmed ones alone. */
  readonly credits: Credit[] = [];
  /** All that were ever sent. */
  readonly creditsSent = new Map<string, Credit>();
  readonly tasks: AcceptedTask[] = [];
  tasksSent = 0;
  /** Windows of budgets that were ended. */
  windows = 0;
  /** Refusals by budgets, each of which was looked into. */
  budgetRefusals = 0;
  /** Requests that died with their node when a vendor had had them for long. */
  diedLate = 0;
  /** Refusals for want of money that were held against what was lent at that moment. */
  refusalsChecked = 0;
  /** Answers that nobody should get. */
  readonly odd: string[] = [];

  acknowledge(answer: Acknowledged): void {
    this.fresh.push(answer);
    this.acknowledged++;
    this.acknowledgedMicros += answer.micros;
    this.mayBeCharged(answer.accountId);
  }

  mayBeCharged(accountId: string): void {
    this.chargeable.set(accountId, (this.chargeable.get(accountId) ?? 0) + 1);
  }

  count(status: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }

  refuse(id: string): void {
    this.refused.add(id);
    this.freshRefused.push(id);
  }

  takeFresh(): { acknowledged: Acknowledged[]; refused: string[] } {
    const [acknowledged, refused] = [this.fresh, this.freshRefused];
    this.fresh = [];
    this.freshRefused = [];
    return { acknowledged, refused };
  }
}
