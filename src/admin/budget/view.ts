// Budgets as they are shown, with what was spent in their windows.
import type { BudgetLine } from "../../identity/budgets/line.ts";
import { isOfEach, toBudget } from "../../identity/budgets/budget.ts";
import type { BudgetRow } from "../../identity/budgets/queries.ts";
import { assert } from "../../core/assert.ts";
import { namesOfTargets } from "../audit/targets/queries.ts";
import type { CapBalance, CapTerms } from "../../quota/cap.ts";
import type { Database } from "../../store/database.ts";
import { isId, toSeconds, toSecondsOrNull } from "../input.ts";
import type { BudgetState, BudgetView, BudgetWindowView } from "./contract.ts";
import type { BudgetNeeds } from "./needs.ts";

type ViewNeeds = Pick<BudgetNeeds, "database" | "budgets" | "balances" | "clock">;

export async function viewBudget(needs: ViewNeeds, row: BudgetRow): Promise<BudgetView> {
  const [view] = await viewBudgets(needs, [row]);
  assert(view !== undefined, "a budget has a view");
  return view;
}

/** Names and windows of all of them are asked for at once. */
export async function viewBudgets(
  needs: ViewNeeds,
  rows: readonly BudgetRow[],
): Promise<BudgetView[]> {
  const ids = rows.flatMap((row) => [row.account_id, row.subject_id]);
  const names = await subjectNamesOf(needs.database, ids);
  const windows = await windowsNow(needs, rows);
  return rows.map((row) => toView(row, names, windows.get(row) ?? null));
}

/** Name of a key, a person, a project or a channel; a label is its own. */
export async function subjectNamesOf(
  database: Database,
  ids: readonly (string | null)[],
): Promise<(id: string | null) => string | null> {
  const wanted = new Set(ids.filter((id) => id !== null));
  const names = await namesOfTargets(database, [...wanted]);
  return (id) => (id === null ? null : (names.get(id) ?? (isOfThing(id) ? null : id)));
}

function isOfThing(id: string): boolean {
  return (["key_", "acc_", "prj_", "chn_"] as const).some((prefix) => isId(id, prefix));
}

function toView(
  row: BudgetRow,
  nameOf: (id: string | null) => string | null,
  now: BudgetWindowView | null,
): BudgetView {
  const subjectName = nameOf(row.subject_id);
  return {
    id: row.id,
    account: nameOf(row.account_id) ?? row.account_id,
    name: row.name,
    scope: row.scope,
    subject: row.subject_id,
    subject_name: subjectName,
    models: row.models === null ? null : JSON.parse(row.models),
    limit_micros: row.limit_micros,
    period: row.period,
    hours: row.hours,
    hours_from: row.period === "hours" ? row.hours_from : null,
    zone: row.zone,
    start_hour: row.start_hour,
    start_weekday: row.start_weekday,
    start_day: row.start_day,
    start_month: row.start_month,
    mode: row.mode,
    carry_micros_max: row.carry_micros_max,
    marks: JSON.parse(row.marks),
    status: row.status,
    declared: row.declared === 1,
    operators: row.is_operators === 1,
    created_at: toSeconds(row.created_at_ms),
    now: now && { ...now, subject_name: subjectName },
  };
}

/** Open windows of those that are enabled and not of each of many. */
async function windowsNow(
  needs: ViewNeeds,
  rows: readonly BudgetRow[],
): Promise<ReadonlyMap<BudgetRow, BudgetWindowView>> {
  const shown = rows.filter(
    ({ scope, subject_id: subjectId, status }) =>
      status === "enabled" && !isOfEach({ scope, subjectId }),
  );
  const lines = shown.map((row) => needs.budgets.line(toBudget(row), row.subject_id));
  const windows = await windowsOf(needs, lines);
  return new Map(
    shown.flatMap((row, at): [BudgetRow, BudgetWindowView][] => {
      const window = windows[at];
      return window ? [[row, window]] : [];
    }),
  );
}

/** Windows that are open now, in the order of the lines. */
async function windowsOf(
  needs: ViewNeeds,
  lines: readonly BudgetLine[],
): Promise<BudgetWindowView[]> {
  const nowMs = needs.clock.nowMs();
  const terms = await Promise.all(lines.map((line) => line.peek(nowMs) ?? line.look()));
  const open = terms.filter((one): one is CapTerms => one !== null);
  const balances = new Map((await needs.balances.caps(open)).map((cap) => [cap.id, cap]));
  return lines.map((line, at) => {
    const cap = balances.get(terms[at]?.id ?? "");
    return cap ? viewWindow(cap, null) : unopened(line);
  });
}

type Shown = Pick<
  CapBalance,
  "subjectId" | "openedAtMs" | "closesAtMs" | "limitMicros" | "spentMicros" | "heldMicros"
>;

export function viewWindow(cap: Shown, subjectName: string | null): BudgetWindowView {
  const { subjectId, limitMicros, spentMicros, heldMicros } = cap;
  return {
    subject: subjectId,
    subject_name: subjectName,
    opened_at: toSeconds(cap.openedAtMs),
    resets_at: toSecondsOrNull(cap.closesAtMs),
    limit_micros: limitMicros,
    spent_micros: spentMicros,
    held_micros: heldMicros,
    left_micros: Math.max(0, limitMicros - spentMicros - heldMicros),
  };
}

/** One that the next request opens. */
function unopened({ budget, subjectId }: BudgetLine): BudgetWindowView {
  const { limitMicros } = budget;
  return {
    subject: subjectId,
    subject_name: null,
    opened_at: null,
    resets_at: null,
    limit_micros: limitMicros,
    spent_micros: 0,
    held_micros: 0,
    left_micros: limitMicros,
  };
}

/**
 * Budgets for those who spend under them. Of one whose name they are not to know they are told
 * neither its sums, of which they could work out what all the others spend.
 */
export async function viewStates(
  needs: ViewNeeds,
  lines: readonly BudgetLine[],
  unnamed?: ReadonlySet<string>,
): Promise<BudgetState[]> {
  const windows = await windowsOf(needs, lines);
  return lines.flatMap((line, at) => {
    const window = windows[at];
    const { id, name, scope, models, mode } = line.budget;
    if (!window) return [];
    const facts = { id, scope, models: models && [...models.names], mode };
    const state = { ...facts, name, ...window, used_share: usedShare(window) };
    return [unnamed?.has(id) ? { ...state, name: null, ...noSums } : state];
  });
}

const noSums = { limit_micros: null, spent_micros: null, held_micros: null, left_micros: null };

/** Whole only where nothing is left. */
function usedShare({ limit_micros: limit, left_micros: left }: BudgetWindowView): number {
  if (left === 0) return 1;
  return Math.min(0.99, Math.floor(((limit - left) / limit) * 100) / 100);
}
