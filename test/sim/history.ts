// Every decision in the order it was made, and what the world was told about it. What survives a
// crash must be a beginning of this list that holds everything acknowledged.
import { Book, type Decision, type Terms } from "./book.ts";
import { must } from "./failure.ts";

export interface Made {
  decision: Decision;
  madeAtMs: number;
  /** Nobody waits for it, so nobody is told of it either. */
  isSilent: boolean;
  /** A hold that was closed before it was written: what closes it stands for both. */
  isSpared: boolean;
  isAcknowledged: boolean;
  /** The waiter was sent on before it was written; it stays in line. */
  isLetGo: boolean;
}

export class History {
  readonly #terms: Terms;
  #made: Made[] = [];
  #acknowledgedCount = 0;
  #durableCount = 0;
  /** Books in the memory of a healthy process: money given counts once it is acknowledged. */
  book: Book;

  constructor(terms: Terms) {
    this.#terms = terms;
    this.book = new Book(terms);
  }

  /** The last decisions, as many as that. */
  latest(count: number): Made[] {
    return count === 0 ? [] : this.#made.slice(-count);
  }

  /** Decisions vouched for, the first ones of the list. */
  get acknowledgedCount(): number {
    return this.#acknowledgedCount;
  }

  first(count: number): Made[] {
    return this.#made.slice(0, count);
  }

  record(decision: Decision, madeAtMs: number): Made {
    const made = toMade(decision, madeAtMs);
    this.#made.push(made);
    if (!isGift(decision)) this.book.apply(decision);
    return made;
  }

  /** A hold that nobody waits for: it is held at once, and comes into line at some later moment. */
  holdSilently(decision: Decision, madeAtMs: number): Made {
    this.book.apply(decision);
    return { ...toMade(decision, madeAtMs), isSilent: true };
  }

  lineUp(made: Made, nowMs: number, isSpared: boolean): void {
    made.madeAtMs = nowMs;
    made.isSpared = isSpared;
    this.#made.push(made);
  }

  acknowledge(made: Made): void {
    made.isAcknowledged = true;
    if (isGift(made.decision)) this.book.apply(made.decision);
  }

  letGo(made: Made): void {
    must(made.decision.kind !== "grant", () => `let go: ${JSON.stringify(made.decision)}`);
    made.isLetGo = true;
  }

  /** Decisions are written in order, so an acknowledgement vouches for all before it. */
  checkAcknowledged(): void {
    const last = this.#made.findLastIndex((made) => made.isAcknowledged);
    for (let at = this.#acknowledgedCount; at <= last; at++) {
      const made = this.#made[at];
      must(
        made !== undefined && (made.isAcknowledged || made.isLetGo || made.isSilent),
        () => `a later decision was acknowledged before ${JSON.stringify(made)}`,
      );
      if (made.decision.kind === "grant") this.#durableCount = at + 1;
    }
    this.#acknowledgedCount = Math.max(this.#acknowledgedCount, last + 1);
  }

  /**
   * Cuts the list to what is on disk after a crash and forgets the rest, which nobody was told of.
   * Returns the grants that were forgotten or never answered: their senders may try again.
   */
  survive(isOnDisk: (decision: Decision) => boolean, hadPower: boolean): Decision[] {
    const made = this.#made;
    const firstLost = made.findIndex(({ decision }) => !isOnDisk(decision));
    const count = firstLost === -1 ? made.length : firstLost;
    const stray = made.slice(count).find(({ decision }) => isOnDisk(decision));
    must(!stray, () => `a later decision survived an earlier one: ${JSON.stringify(stray)}`);
    const promised = hadPower ? this.#acknowledgedCount : this.#durableCount;
    must(
      count >= promised,
      () => `lost after it was acknowledged: ${JSON.stringify(made[count]?.decision)}`,
    );
    const unanswered = made.filter((one) => !one.isAcknowledged).map(({ decision }) => decision);
    this.#made = made.slice(0, count);
    this.#settle();
    // A start syncs what it found.
    this.#durableCount = count;
    return unanswered.filter(({ kind }) => kind === "grant");
  }

  /** Decisions of recovery are on disk, and synced, when it returns. */
  recordRecovered(decisions: readonly Decision[], nowMs: number): void {
    if (decisions.length === 0) return;
    for (const decision of decisions) this.record(decision, nowMs);
    this.#settle();
    this.#durableCount = this.#made.length;
  }

  #settle(): void {
    this.#acknowledgedCount = this.#made.length;
    this.book = new Book(this.#terms);
    for (const made of this.#made) {
      made.isAcknowledged = true;
      this.book.apply(made.decision);
    }
  }
}

function toMade(decision: Decision, madeAtMs: number): Made {
  const states = { isSilent: false, isSpared: false, isAcknowledged: false, isLetGo: false };
  return { decision, madeAtMs, ...states };
}

function isGift(decision: Decision): boolean {
  return decision.kind === "grant" && decision.micros > 0;
}
