// The windows of one budget, or of one of its subjects where each has its own: which one is open.
// Mostly that is a comparison of two numbers; the first request of a window may have to read.
import type { Clock } from "../../core/clock.ts";
import { digestOf } from "../../core/digest.ts";
import type { CapBalance, CapTerms } from "../../quota/cap.ts";
import type { Database } from "../../store/database.ts";
import { isOfEach, type Budget } from "./budget.ts";
import { findOpening, writeOpening } from "./queries.ts";
import { windowOf, type Window } from "./window.ts";

export interface LineNeeds {
  database: Database;
  clock: Clock;
  /** Figures of windows, as fresh ones where nothing was held yet. */
  caps(all: readonly CapTerms[]): Promise<readonly CapFigures[]>;
}

type CapFigures = Pick<CapBalance, "limitMicros" | "heldMicros" | "spentMicros">;

const hourMs = 3_600_000;

export class BudgetLine {
  readonly budget: Budget;
  readonly subjectId: string | null;
  readonly #needs: LineNeeds;
  readonly #isFirstUse: boolean;
  /**
   * In the ids of its windows, which stay in the book for ever: a label is not readable there, and
   * a window of a channel is known by it.
   */
  readonly #part: string;
  /** Moment that its last window was opened at, not by the clock; null where nobody has looked. */
  #sinceMs: number | null = null;
  #terms: CapTerms | null = null;
  #opening: Promise<CapTerms> | null = null;

  constructor(needs: LineNeeds, budget: Budget, subjectId: string | null) {
    this.#needs = needs;
    this.budget = budget;
    this.subjectId = subjectId;
    this.#part = budget.scope === "channel" ? (subjectId ?? "") : this.#subject;
    if (budget.scope === "label" && this.#part !== "") this.#part = digestOf(this.#part);
    const { period, hoursFrom } = budget.rhythm;
    this.#isFirstUse = period === "hours" && hoursFrom === "first_use";
  }

  /** Null where the database has to be asked first. */
  peek(nowMs: number): CapTerms | null {
    const terms = this.#terms;
    if (terms && (terms.closesAtMs === null || nowMs < terms.closesAtMs)) return terms;
    if (this.#sinceMs === null || this.#isFirstUse || this.budget.carryMicrosMax > 0) return null;
    const window = windowOf(this.budget.rhythm, nowMs, this.#sinceMs);
    return window && (this.#terms = this.#toTerms(window, 0));
  }

  /** However many ask at once, the database is asked once. */
  open(): Promise<CapTerms> {
    this.#opening ??= this.#open().finally(() => (this.#opening = null));
    return this.#opening;
  }

  /** The window that is open, without opening one; null where none is. */
  async look(): Promise<CapTerms | null> {
    const nowMs = this.#needs.clock.nowMs();
    const sinceMs = await this.#readSince();
    if (!this.#isFirstUse) this.#sinceMs = sinceMs;
    const window = windowOf(this.budget.rhythm, nowMs, sinceMs);
    if (!window) return null;
    return (this.#terms = this.#toTerms(window, await this.#carried(window)));
  }

  async #open(): Promise<CapTerms> {
    const nowMs = this.#needs.clock.nowMs();
    let sinceMs = await this.#readSince();
    let window = windowOf(this.budget.rhythm, nowMs, sinceMs);
    if (!window) {
      sinceMs = await this.#begin(nowMs);
      window = windowOf(this.budget.rhythm, sinceMs, sinceMs) ?? openAt(sinceMs);
    }
    this.#sinceMs = sinceMs;
    return (this.#terms = this.#toTerms(window, await this.#carried(window)));
  }

  async #readSince(): Promise<number> {
    const { id, sinceMs } = this.budget;
    const opened = await findOpening(this.#needs.database, id, this.#subject);
    if (opened !== null && opened >= sinceMs) return opened;
    // One of first use opens with a request, not with the making of the budget.
    return this.#isFirstUse ? Number.NEGATIVE_INFINITY : sinceMs;
  }

  /** Opens a window now, unless another node has just done so. */
  async #begin(nowMs: number): Promise<number> {
    const { id, sinceMs, rhythm } = this.budget;
    const openSinceMs = Math.max(sinceMs, nowMs - rhythm.hours * hourMs + 1);
    const opening = { id, subject: this.#subject, openedAtMs: nowMs, openSinceMs };
    await writeOpening(this.#needs.database, opening);
    return (await findOpening(this.#needs.database, id, this.#subject)) ?? nowMs;
  }

  /**
   * Micros left over from the window before, all of it where that had no request. Money that was
   * held then and is freed later is not carried, and nothing is out of a window that was freed.
   */
  async #carried({ openedAtMs }: Window): Promise<number> {
    const { carryMicrosMax, rhythm, sinceMs } = this.budget;
    if (carryMicrosMax === 0 || openedAtMs <= sinceMs) return 0;
    const before = windowOf(rhythm, openedAtMs - 1, this.#sinceMs ?? sinceMs);
    if (before?.closesAtMs !== openedAtMs) return 0;
    const [last] = await this.#needs.caps([this.#toTerms(before, 0)]);
    const left = last ? last.limitMicros - last.spentMicros - last.heldMicros : 0;
    return Math.max(0, Math.min(carryMicrosMax, left));
  }

  /** '' where the budget is not one of many. */
  get #subject(): string {
    return isOfEach(this.budget) ? (this.subjectId ?? "") : "";
  }

  #toTerms({ openedAtMs, closesAtMs }: Window, carriedMicros: number): CapTerms {
    const { id, accountId, name, mode, limitMicros } = this.budget;
    const line = this.#part === "" ? id : `${id}/${this.#part}`;
    return {
      id: `${line}@${openedAtMs}`,
      budgetId: id,
      accountId,
      subjectId: this.subjectId,
      name,
      mode,
      limitMicros: limitMicros + carriedMicros,
      carriedMicros,
      openedAtMs,
      closesAtMs,
    };
  }
}

/** A window that another node opened and that is over by now, should its clock be so far behind. */
function openAt(atMs: number): Window {
  return { openedAtMs: atMs, closesAtMs: atMs };
}
