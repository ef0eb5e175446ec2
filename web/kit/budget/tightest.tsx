// The budget of which the least is left to a key, a member or a project, its parents' among them.
import type { BudgetState } from "../../../src/admin/contract.ts";
import { useAnswer } from "../../core/control.ts";
import { SpentOf } from "./bars.tsx";
import { t } from "./words.ts";

/** Budgets of whoever the console acts for, and of all that are its parts. */
export function useBudgets(): readonly BudgetState[] {
  return useAnswer("GET /api/budget/self").data?.budgets ?? [];
}

/** A part falls under the budgets of the account and of each of these subjects. */
export function tightestOf(
  states: readonly BudgetState[],
  subjects: readonly (string | null)[],
): BudgetState | null {
  const own = states.filter(
    ({ scope, subject }) => scope === "account" || (subject !== null && subjects.includes(subject)),
  );
  return own.toSorted((one, other) => other.used_share - one.used_share)[0] ?? null;
}

export function TightestBudget({ state }: { state: BudgetState | null }) {
  if (!state) return <span class="faint">–</span>;
  return (
    <>
      <span class="faint cut">{state.name ?? t().unnamed}</span>
      <SpentOf window={state} />
    </>
  );
}

/** A column of a list, where there is anything to show in it. */
export function budgetColumn<Row>(
  states: readonly BudgetState[],
  subjectsOf: (row: Row) => readonly (string | null)[] | null,
) {
  return (
    states.length > 0 && {
      name: "budget",
      head: t().budget,
      card: "line" as const,
      cell(row: Row) {
        const subjects = subjectsOf(row);
        return <TightestBudget state={subjects && tightestOf(states, subjects)} />;
      },
    }
  );
}
