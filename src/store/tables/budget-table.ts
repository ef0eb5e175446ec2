// Budgets as the query builder sees them.
import type { BudgetMode, BudgetScope, HoursOrigin, Period } from "../../config/budget.ts";
import type { AccountId, BudgetId } from "../../core/ids.ts";

export interface BudgetTable {
  id: BudgetId;
  account_id: AccountId;
  name: string;
  scope: BudgetScope;
  /** Null: each of its scope has such a budget of its own. */
  subject_id: string | null;
  /** JSON; null: all. */
  models: string | null;
  limit_micros: number;
  period: Period;
  hours: number | null;
  hours_from: HoursOrigin;
  zone: string;
  start_hour: number;
  start_weekday: number;
  start_day: number;
  start_month: number;
  mode: BudgetMode;
  carry_micros_max: number;
  /** JSON. */
  marks: string;
  status: "enabled" | "disabled";
  declared: 0 | 1;
  /** Set by who runs the gateway: its account cannot change it. */
  is_operators: 0 | 1;
  /** No window of it opened before: it was made then, freed, or given another rhythm. */
  since_ms: number;
  created_at_ms: number;
}

/** The last time that a window was opened by a request or by hand, of those that are. */
export interface BudgetOpeningTable {
  budget_id: BudgetId;
  /** '' where the budget is not one of many. */
  subject_id: string;
  opened_at_ms: number;
}
