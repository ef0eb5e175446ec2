// Gives the open windows of a budget the limit that the budget and their raises make, where earlier
// versions of the gateway left them another one.
import type { Operator } from "../../identity/caller.ts";
import { noteAlone } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { BudgetCalls, BudgetView } from "./contract.ts";
import { findChangeable } from "./find.ts";
import type { BudgetNeeds } from "./needs.ts";
import { limitWindows } from "./open-windows.ts";
import { viewBudget } from "./view.ts";

export async function correctBudget(
  needs: BudgetNeeds,
  operator: Operator,
  { id }: InputOf<BudgetCalls["correct"]>,
): Promise<BudgetView> {
  return await exclusively(needs, "budgets", async () => {
    const row = await findChangeable(needs, operator, id);
    const corrected = await limitWindows(needs, row);
    const changes = Object.fromEntries(
      corrected.map(({ windowId, fromMicros, toMicros }) => [
        windowId,
        { from: fromMicros, to: toMicros },
      ]),
    );
    await noteAlone(needs, operator, { action: "budget.correct", target: row.id, changes });
    return await viewBudget(needs, row);
  });
}
