// Changes the limit of the open window alone; the next one has the budget's own again.
import { GatewayError, invalid } from "../../core/errors.ts";
import { isOfEach, toBudget } from "../../identity/budgets/budget.ts";
import type { Operator } from "../../identity/caller.ts";
import { insertOfCap } from "../../quota/history/queries.ts";
import { noteAlone } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { BudgetCalls, BudgetWindowView } from "./contract.ts";
import { findChangeable } from "./find.ts";
import type { BudgetNeeds } from "./needs.ts";
import { findOneOfMany } from "./renew.ts";
import { subjectNamesOf, viewWindow } from "./view.ts";

export async function raiseBudget(
  needs: BudgetNeeds,
  operator: Operator,
  { id, body }: InputOf<BudgetCalls["raise"]>,
): Promise<BudgetWindowView> {
  return await exclusively(needs, "budgets", async () => {
    const row = await findChangeable(needs, operator, id);
    const { limit_micros: limit } = body;
    const one = await findOneOfMany(needs, row, body.subject);
    const budget = toBudget(row);
    if (isOfEach(budget) && one === null) {
      throw invalid("subject", "is required: each of many has a window of its own");
    }
    if (row.status !== "enabled") throw new GatewayError("conflict", { message: disabled });
    const terms = await needs.budgets.line(budget, one ?? row.subject_id).open();
    // A window that had no request yet has no row; from now on its limit is the row's.
    await insertOfCap(needs.database, terms).execute();
    const before = await needs.balances.cap(terms.id);
    const carriedMicros = before?.limitParts?.carriedMicros ?? terms.carriedMicros ?? 0;
    const budgetMicros = row.limit_micros;
    const raisedMicros = limit - budgetMicros - carriedMicros;
    await needs.balances.setCapLimit(terms.id, { budgetMicros, carriedMicros, raisedMicros });
    const changes = { limit_micros: limit, ...(one !== null && { subject: one }) };
    await noteAlone(needs, operator, { action: "budget.raise", target: row.id, changes });
    const [cap = null] = await needs.balances.caps([terms]);
    if (!cap) throw new GatewayError("not_found");
    const nameOf = await subjectNamesOf(needs.database, [cap.subjectId]);
    return viewWindow(cap, nameOf(cap.subjectId));
  });
}

const disabled = "This budget is disabled, so no window of it is open.";
