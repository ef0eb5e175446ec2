// A budget as requests are matched with it.
import type { BudgetMode, BudgetScope } from "../../config/budget.ts";
import type { AccountId, BudgetId } from "../../core/ids.ts";
import { ModelPatterns } from "../model-patterns.ts";
import type { BudgetRow } from "./queries.ts";
import type { Rhythm } from "./window.ts";

export interface Budget {
  id: BudgetId;
  accountId: AccountId;
  name: string;
  scope: BudgetScope;
  /** Null: each of its scope has such a budget of its own. */
  subjectId: string | null;
  /** Null: all. */
  models: { names: readonly string[]; patterns: ModelPatterns<true> } | null;
  limitMicros: number;
  rhythm: Rhythm;
  mode: BudgetMode;
  carryMicrosMax: number;
  sinceMs: number;
}

export function toBudget(row: BudgetRow): Budget {
  const names: string[] | null = row.models === null ? null : JSON.parse(row.models);
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    scope: row.scope,
    subjectId: row.subject_id,
    models: names && { names, patterns: new ModelPatterns(names.map((name) => [name, true])) },
    limitMicros: row.limit_micros,
    rhythm: rhythmOf(row),
    mode: row.mode,
    carryMicrosMax: row.carry_micros_max,
    sinceMs: row.since_ms,
  };
}

function rhythmOf(row: BudgetRow): Rhythm {
  return {
    period: row.period,
    hours: row.hours ?? 0,
    hoursFrom: row.hours_from,
    zone: row.zone,
    starts: {
      hour: row.start_hour,
      weekday: row.start_weekday,
      day: row.start_day,
      month: row.start_month,
    },
  };
}

/** Whether every subject has a window of its own. */
export function isOfEach({ scope, subjectId }: Pick<Budget, "scope" | "subjectId">): boolean {
  return scope !== "account" && subjectId === null;
}
