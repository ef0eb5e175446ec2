// A budget between the wire and its row.
import { budgetDefaults, type BudgetFields } from "../../config/budget.ts";
import { withoutNulls, type JsonObject } from "../../core/json.ts";
import type { BudgetRow } from "../../identity/budgets/queries.ts";
import type { InputFields } from "../input.ts";

/** Fields that the wire says; the subject is an id by now. */
export function toFields(input: BudgetFields, subjectId: string | null) {
  return {
    name: input.name,
    scope: input.scope ?? budgetDefaults.scope,
    subject_id: subjectId,
    models: input.models === undefined ? null : JSON.stringify(input.models),
    limit_micros: input.limit_micros,
    period: input.period ?? budgetDefaults.period,
    hours: input.hours ?? null,
    hours_from: input.hours_from ?? budgetDefaults.hoursFrom,
    zone: input.zone ?? budgetDefaults.zone,
    start_hour: input.start_hour ?? budgetDefaults.startHour,
    start_weekday: input.start_weekday ?? budgetDefaults.startWeekday,
    start_day: input.start_day ?? budgetDefaults.startDay,
    start_month: input.start_month ?? budgetDefaults.startMonth,
    mode: input.mode ?? budgetDefaults.mode,
    carry_micros_max: input.carry_micros_max ?? budgetDefaults.carryMicrosMax,
    marks: JSON.stringify(input.marks ?? budgetDefaults.marks),
  } satisfies Partial<BudgetRow>;
}

/** The input that would make the row as it is. */
export function toInput(row: BudgetRow): JsonObject {
  const isOfHours = row.period === "hours" && row.hours !== null;
  return withoutNulls({
    name: row.name,
    scope: row.scope,
    subject: row.subject_id,
    models: row.models === null ? null : JSON.parse(row.models),
    limit_micros: row.limit_micros,
    period: row.period,
    hours: isOfHours ? row.hours : null,
    hours_from: isOfHours ? row.hours_from : null,
    zone: row.zone,
    start_hour: row.start_hour,
    start_weekday: row.start_weekday,
    start_day: row.start_day,
    start_month: row.start_month,
    mode: row.mode,
    carry_micros_max: row.carry_micros_max,
    marks: JSON.parse(row.marks),
  } satisfies InputFields<BudgetFields>);
}

const rhythmColumns = [
  "scope",
  "subject_id",
  "period",
  "hours",
  "hours_from",
  "zone",
  "start_hour",
  "start_weekday",
  "start_day",
  "start_month",
] as const;

/** Whether windows of the one are none of the other. */
export function hasOtherRhythm(before: BudgetRow, after: BudgetRow): boolean {
  return rhythmColumns.some((column) => before[column] !== after[column]);
}
