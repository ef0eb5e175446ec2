// Deletes a budget. What its windows counted stays in the book, with the charges that name them.
import { deleteBudget } from "../../identity/budgets/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { brief } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { orNotFound } from "../input.ts";
import type { BudgetCalls } from "./contract.ts";
import { findChangeable } from "./find.ts";
import type { BudgetNeeds } from "./needs.ts";
import { toInput } from "./row.ts";

export async function removeBudget(
  needs: BudgetNeeds,
  operator: Operator,
  { id }: InputOf<BudgetCalls["remove"]>,
): Promise<{ id: string }> {
  return await exclusively(needs, "budgets", async () => {
    const row = await findChangeable(needs, operator, id);
    const changes = brief(toInput(row));
    const note = { action: "budget.remove", target: row.id, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await orNotFound(deleteBudget(store, database, row.id));
    await needs.reload.budgets();
    return { id: row.id };
  });
}
