// Parts of the limit of an open window. Rows of earlier versions do not say: there it is
// worked out of the audit log, which has each change of the budget and each raise of a window.
import type { JsonObject } from "../../core/json.ts";
import { isOfEach, toBudget } from "../../identity/budgets/budget.ts";
import { BudgetLine } from "../../identity/budgets/line.ts";
import type { BudgetRow } from "../../identity/budgets/queries.ts";
import { limitPartsOf, type CapLimit, type CapTerms } from "../../quota/cap.ts";
import type { toCapRow } from "../../quota/rows.ts";
import { listEntriesBefore } from "../audit/queries.ts";
import type { BudgetNeeds } from "./needs.ts";

type LimitNeeds = Pick<BudgetNeeds, "database" | "balances" | "clock">;

export type WindowRow = ReturnType<typeof toCapRow>;

/** Parts of it, with the budget's limit as it is now. */
export async function findLimitParts(
  needs: LimitNeeds,
  budget: BudgetRow,
  window: WindowRow,
): Promise<CapLimit> {
  const { limit_micros: budgetMicros } = budget;
  const recordedParts = limitPartsOf(window);
  if (recordedParts) return { ...recordedParts, budgetMicros };
  const carriedMicros = await findCarriedMicros(needs, budget, window);
  const raise = await findLastRaise(needs, budget, window);
  if (!raise) return { budgetMicros, carriedMicros, raisedMicros: 0 };
  const raisedMicros = raise.limitMicros - raise.budgetMicros - carriedMicros;
  return { budgetMicros, carriedMicros, raisedMicros };
}

/** Micros that the window would carry if it were opened now. */
async function findCarriedMicros(
  { database, clock, balances }: LimitNeeds,
  budget: BudgetRow,
  window: WindowRow,
): Promise<number> {
  if (budget.carry_micros_max === 0) return 0;
  const caps = (all: readonly CapTerms[]) => balances.caps(all);
  const line = new BudgetLine({ database, clock, caps }, toBudget(budget), window.subject_id);
  const terms = await line.look();
  return terms?.id === window.id ? (terms.carriedMicros ?? 0) : 0;
}

interface Raise {
  /** Limit that the window was given. */
  limitMicros: number;
  /** Limit that the budget had then. */
  budgetMicros: number;
}

const entriesMax = 1000;

async function findLastRaise(
  { database }: LimitNeeds,
  budget: BudgetRow,
  window: WindowRow,
): Promise<Raise | null> {
  const filter = { targetId: budget.id, fromMs: window.opened_at_ms };
  const newestFirst = await listEntriesBefore(database, filter, { id: null, limit: entriesMax });
  const isOneOfMany = isOfEach(toBudget(budget));
  let budgetMicros = budget.limit_micros;
  for (const { action, changes: text } of newestFirst) {
    const { subject = null, limit_micros: limit }: AuditedChange = JSON.parse(text);
    const isOfWindow = !isOneOfMany || subject === window.subject_id;
    if (action === "budget.raise" && isOfWindow && typeof limit === "number") {
      return { limitMicros: limit, budgetMicros };
    }
    const isChange = action === "budget.change" && typeof limit === "object" && limit !== null;
    if (isChange && typeof limit["from"] === "number") budgetMicros = limit["from"];
  }
  return null;
}

/** Limits as they stand in the audit log: one of a raise, both of a change. */
interface AuditedChange {
  subject?: string | null;
  limit_micros?: number | JsonObject | null;
}
