// A node's loan of an account or of a key; that of a cap is beside it. Admission works on it as on
// any balance: the available part of an account, and a key's limit, are the node's own part of
// them.
import { assert } from "../../core/assert.ts";
import type { AccountId, KeyId } from "../../core/ids.ts";
import type { AccountBalance, KeyBalance } from "../balance.ts";
import { moveGranted } from "../movement.ts";

export type AskCells = readonly (string | number | null)[];

/** The node's dealings over one slice. */
export abstract class Slice {
  /** The database has been asked at least once, and nothing about it has changed since. */
  isKnown = false;
  /** The database has a row of it for this node. */
  hasRow = false;
  /** The database has no such account or key. */
  isMissing = false;
  /** The count of its recalls, now and when it was last asked for. */
  recalls = 0;
  recallsAtAsk = 0;
  /** All of it went back, and it was not used since. */
  hasGivenBack = false;
  uses = 0;
  isForgotten = false;
  lentEverMicros = 0;
  /** Micros that those who wait are short of. */
  needMicros = 0;
  /** Micros asked for beyond that, so that the next ones need not wait. */
  wantMicros = 0;
  /** An ask is on its way, or about to be. */
  isAsking = false;
  /** The last answer brought less than was needed: there was no more of it to lend. */
  isExhausted = false;
  /** Micros of other nodes that have not been heard of since it was recalled. */
  pendingMicros = 0;
  /** Since then everyone was heard of who has or holds something of it. */
  heardAtMs = 0;
  /** Somebody waits for it whom no turn has carried yet. */
  isNewlyWanted = false;
  unwrittenMicros = 0;
  usedAtMs = 0;
  refilledAtMs = 0;
  /** Micros lent or held beyond a limit that was lowered; only a hard cap's limit is. */
  excessMicros = 0;
  /** No refill until then: the last one brought less than was wanted. */
  restUntilMs = 0;
  /** Until then others want it too: it goes from hand to hand. */
  contestedUntilMs = 0;

  /** Lists of a turn that its asks and returns stand in. */
  abstract readonly asks: "asks" | "keyAsks" | "capAsks";
  abstract readonly returns: "returns" | "keyReturns" | "capReturns";
  abstract readonly id: string;
  abstract readonly isUnbounded: boolean;
  abstract readonly freeMicros: number;
  /** More of it, or less. */
  abstract move(micros: number): void;
  abstract learn(flag: 0 | 1, lentMicros: number): void;

  /** Note what the database must know of it to be asked. */
  note(): void {}

  /** Its terms may have changed, also since an answer was made that is still on its way. */
  noteRecall(): void {
    this.recalls++;
    if (this.hasRow && this.isUnbounded) this.isKnown = false;
  }

  /** More of it should be asked for before it runs out. */
  isLow(nowMs: number): boolean {
    const isLow = !this.isUnbounded && this.freeMicros < this.wantMicros / 4;
    return isLow && nowMs >= this.restUntilMs && !this.isContested(nowMs);
  }

  askCells(wantMicros: number): AskCells {
    return [this.id, this.needMicros, wantMicros, Number(this.isNewlyWanted)];
  }

  covers(micros: number): boolean {
    return this.isKnown && (this.isUnbounded || this.freeMicros >= micros);
  }

  /**
   * A subject without a row in the database is gone; money that neither the database nor anybody
   * else has cannot come. Who came before may have been served with all that was lent, and there
   * may be more. A slice of others is theirs only if they live: a node that died with it was not
   * heard of since, and it comes back.
   */
  isHopelessSince(askedAtMs: number): boolean {
    const isElsewhere = this.pendingMicros > 0 || this.heardAtMs < askedAtMs;
    return this.isMissing || (this.isKnown && this.isExhausted && !isElsewhere);
  }

  isContested(nowMs: number): boolean {
    return !this.isUnbounded && nowMs < this.contestedUntilMs;
  }
}

export class AccountSlice extends Slice implements AccountBalance {
  readonly asks = "asks";
  readonly returns = "returns";
  readonly id: AccountId;
  unlimited = false;
  grantedMicros = 0;
  availableMicros = 0;
  heldMicros = 0;
  spentMicros = 0;

  constructor(id: AccountId) {
    super();
    this.id = id;
  }

  get isUnbounded(): boolean {
    return this.unlimited;
  }

  get freeMicros(): number {
    return this.availableMicros;
  }

  move(micros: number): void {
    moveGranted(this, micros);
  }

  learn(flag: 0 | 1, lentMicros: number): void {
    this.unlimited = flag === 1;
    this.move(lentMicros);
  }
}

export class KeySlice extends Slice implements KeyBalance {
  readonly asks = "keyAsks";
  readonly returns = "keyReturns";
  readonly id: KeyId;
  readonly accountId: AccountId;
  limitMicros: number | null = null;
  heldMicros = 0;
  spentMicros = 0;
  /** Micros held when it was last asked for: a limit that is new begins to count there. */
  #heldAtAskMicros = 0;
  #usedAtAskMicros = 0;

  constructor(id: KeyId, accountId: AccountId) {
    super();
    this.id = id;
    this.accountId = accountId;
  }

  get isUnbounded(): boolean {
    return this.isKnown && this.limitMicros === null;
  }

  get freeMicros(): number {
    return this.limitMicros === null ? 0 : this.limitMicros - this.spentMicros - this.heldMicros;
  }

  move(micros: number): void {
    if (this.limitMicros === null) return;
    assert(micros >= 0 || this.freeMicros + micros >= 0, "no more goes than the key has");
    this.limitMicros += micros;
  }

  override note(): void {
    this.#heldAtAskMicros = this.heldMicros;
    this.#usedAtAskMicros = this.heldMicros + this.spentMicros;
  }

  override askCells(wantMicros: number): AskCells {
    const { id, needMicros, isNewlyWanted } = this;
    return [id, needMicros, wantMicros, this.#heldAtAskMicros, Number(isNewlyWanted)];
  }

  learn(flag: 0 | 1, lentMicros: number): void {
    if (flag === 0) this.limitMicros = null;
    else this.limitMicros = (this.limitMicros ?? this.#usedAtAskMicros) + lentMicros;
  }
}
