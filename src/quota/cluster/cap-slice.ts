// A node's part of a cap. A hard one is lent as a key with a limit is. Of others the node is told
// what all have spent, as of its last turn: their limit here is what that leaves for this node.
import { assert } from "../../core/assert.ts";
import type { AccountId } from "../../core/ids.ts";
import type { CapBalance, CapMode, CapTerms } from "../cap.ts";
import { Slice, type AskCells } from "./slice.ts";

/** Figures that were told so lately need not be asked for. */
const freshMs = 250;

export class CapSlice extends Slice implements CapBalance {
  readonly asks = "capAsks";
  readonly returns = "capReturns";
  readonly isBooked = true;
  readonly terms: CapTerms;
  readonly id: string;
  readonly budgetId: string;
  readonly accountId: AccountId;
  readonly subjectId: string | null;
  readonly mode: CapMode;
  readonly openedAtMs: number;
  closesAtMs: number | null;
  name: string;
  limitMicros = 0;
  heldMicros = 0;
  spentMicros = 0;
  whole: CapBalance["whole"] = null;
  readonly limitParts = null;
  readonly loweredFromMicros = 0;
  /**
   * Micros that all nodes hold or were lent beyond a limit that was lowered, as of the last answer.
   * Until there are none, whatever ends here is given back and not held anew.
   */
  override excessMicros = 0;
  #spentAtTurnMicros = 0;
  #toldAtMs = -Infinity;

  constructor(terms: CapTerms) {
    super();
    this.terms = terms;
    this.id = terms.id;
    this.budgetId = terms.budgetId;
    this.accountId = terms.accountId;
    this.subjectId = terms.subjectId;
    this.mode = terms.mode;
    this.openedAtMs = terms.openedAtMs;
    this.closesAtMs = terms.closesAtMs;
    this.name = terms.name;
  }

  get isUnbounded(): boolean {
    return this.mode !== "hard";
  }

  get freeMicros(): number {
    return this.isUnbounded ? 0 : this.limitMicros - this.spentMicros - this.heldMicros;
  }

  move(micros: number): void {
    if (this.isUnbounded) return;
    assert(micros >= 0 || this.freeMicros + micros >= 0, "no more goes than the cap has");
    this.limitMicros += micros;
  }

  /** All that is spent by now is in the turn that is about to go, or was in one before. */
  override note(): void {
    this.#spentAtTurnMicros = this.spentMicros;
  }

  /** A hard limit may have been lowered below what is held of it. */
  override noteRecall(): void {
    super.noteRecall();
    if (this.hasRow && !this.isUnbounded) this.excessMicros = Infinity;
  }

  learn(_flag: 0 | 1, lentMicros: number): void {
    this.move(lentMicros);
  }

  /** The whole limit, and what all have spent with the turn that was answered. */
  tell(limitMicros: number, spentMicros: number, nowMs: number): void {
    this.whole = { limitMicros, spentMicros };
    this.#toldAtMs = nowMs;
    if (!this.isUnbounded) return;
    this.limitMicros = limitMicros - (spentMicros - this.#spentAtTurnMicros);
  }

  override isLow(nowMs: number): boolean {
    if (!this.isUnbounded) return super.isLow(nowMs);
    return this.mode === "stop" && nowMs - this.#toldAtMs > freshMs;
  }

  /** The terms go along until there is a row. */
  override askCells(wantMicros: number): AskCells {
    const cells = [this.id, this.needMicros, wantMicros, 0, Number(this.isNewlyWanted)];
    if (this.hasRow) return cells;
    const { budgetId, accountId, subjectId, mode, openedAtMs, closesAtMs } = this;
    const { limitMicros, carriedMicros = null } = this.terms;
    const window = [openedAtMs, closesAtMs, limitMicros, carriedMicros];
    return [...cells, budgetId, accountId, subjectId, mode, ...window];
  }

  /** So long after its window nobody comes for it but the end of a task. */
  isOver(sinceMs: number): boolean {
    return this.closesAtMs !== null && this.closesAtMs < sinceMs;
  }
}
