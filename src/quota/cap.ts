// Caps: limits beside those of the account and the key, such as the windows of budgets. A hold
// names the caps that it was taken under and moves all of them; its charge stays theirs, however
// late it ends. Nothing is ever reset: a new window is a new cap.
import type { AccountId } from "../core/ids.ts";
import type { CapTable } from "../store/tables/cap-schema.ts";
import type { Usable } from "./kept/usable.ts";

/**
 * `hard`: a hold has to fit, so the limit is never passed. `stop`: nothing is taken once what was
 * spent has reached it. `watch`: it only counts.
 */
export type CapMode = "hard" | "stop" | "watch";

export interface CapTerms {
  /** `bud_x@<openedAtMs>`, or `bud_x/<subject>@<openedAtMs>`; without blanks. */
  id: string;
  budgetId: string;
  accountId: AccountId;
  /** The one whose window it is, where each of many has its own. */
  subjectId: string | null;
  /** The budget's name, for words. */
  name: string;
  mode: CapMode;
  /** Fixed when its row is made; from then on the row's counts. */
  limitMicros: number;
  /** Part of it that is left over from the window before; undefined where nobody counted it. */
  carriedMicros?: number | undefined;
  openedAtMs: number;
  /** Null where it stays open. */
  closesAtMs: number | null;
}

/** The limit of a window, as the sum of its parts. */
export interface CapLimit {
  /** The limit of its budget. */
  budgetMicros: number;
  /** Left over from the window before. */
  carriedMicros: number;
  /** Added for this window alone; negative where its limit was lowered. */
  raisedMicros: number;
}

export function limitOfParts(parts: CapLimit): number {
  return Math.max(0, parts.budgetMicros + parts.carriedMicros + parts.raisedMicros);
}

export interface CapBalance extends Usable, CapTerms {
  heldMicros: number;
  spentMicros: number;
  /** Null where an earlier version made it and kept none. */
  limitParts: CapLimit | null;
  /** The highest limit that it was lowered from; 0 where it never was. */
  loweredFromMicros: number;
  /** Its row is made elsewhere: a batch that moves it brings none. */
  readonly isBooked: boolean;
  /** Figures of the whole, where this is a node's part of it. */
  whole: CapFigures | null;
}

type CapFigures = Pick<CapBalance, "limitMicros" | "spentMicros">;

/** Facts for the words of a refusal for want of money; budgets are named by their ids. */
export interface ShortageWords {
  /** Budgets whose names whoever asks is not to know. */
  unnamed?: ReadonlySet<string> | undefined;
  /** Zones whose clock budgets go by; UTC where none is said. */
  zones?: ReadonlyMap<string, string>;
  /** The account's money is its organisation's, and whoever asks is not to know it. */
  hidesAccount?: true;
}

/** For all who have none. */
export const noCaps: readonly CapBalance[] = Object.freeze([]);

/** Ids as rows of holds and entries have them; null where there are none. */
export function capsText(caps: readonly { id: string }[]): string | null {
  return caps.length === 0 ? null : caps.map(({ id }) => id).join(" ");
}

export function capIdsOf(text: string | null | undefined): readonly string[] {
  return text ? text.split(" ") : [];
}

/** A window in which nothing has happened yet. */
export function freshCap(terms: CapTerms): CapBalance {
  const unused = { uses: 0, isForgotten: false, unwrittenMicros: 0, heldMicros: 0, spentMicros: 0 };
  const { limitMicros, carriedMicros = 0 } = terms;
  const limitParts = { budgetMicros: limitMicros - carriedMicros, carriedMicros, raisedMicros: 0 };
  const limited = { limitParts, loweredFromMicros: 0 };
  return { ...terms, ...unused, ...limited, isBooked: false, whole: null };
}

/** The row of it in memory; the name is the budget's. */
export function capOf(row: CapTable, name: string): CapBalance {
  const terms: CapTerms = {
    id: row.id,
    budgetId: row.budget_id,
    accountId: row.account_id,
    subjectId: row.subject_id,
    name,
    mode: row.mode,
    limitMicros: row.limit_micros,
    openedAtMs: row.opened_at_ms,
    closesAtMs: row.closes_at_ms,
  };
  const { held_micros: heldMicros, spent_micros: spentMicros } = row;
  const { lowered_from_micros: loweredFromMicros } = row;
  const limitParts = limitPartsOf(row);
  return { ...freshCap(terms), heldMicros, spentMicros, limitParts, loweredFromMicros };
}

/** Null where an earlier version made it. */
export function limitPartsOf(
  row: Pick<CapTable, "budget_micros" | "carried_micros" | "raised_micros">,
): CapLimit | null {
  const { budget_micros: budgetMicros, carried_micros: carried, raised_micros: raised } = row;
  if (budgetMicros === null) return null;
  return { budgetMicros, carriedMicros: carried ?? 0, raisedMicros: raised ?? 0 };
}

/** Only a hard one binds what is held. */
export function isCapWithin({ mode, limitMicros }: CapBalance, micros: number): boolean {
  return mode !== "hard" || micros <= limitMicros;
}

/** Whether one more may be taken under it at all. */
export function isCapOpen({ mode, spentMicros, limitMicros }: CapBalance): boolean {
  return mode !== "stop" || spentMicros < limitMicros;
}
