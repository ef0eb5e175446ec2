// At a start: what an earlier version, or a process that died between two writes, left of the
// limits of open windows. A limit that nothing explains stays as it is and is told of by a notice:
// it may be what people count on, and whoever runs the gateway has it corrected.
import { readBudgets, type BudgetRow } from "../../identity/budgets/queries.ts";
import { limitOfParts, limitPartsOf } from "../../quota/cap.ts";
import { listOpenCaps, writeLimitParts } from "../../quota/history/queries.ts";
import type { CapTable } from "../../store/tables/cap-schema.ts";
import { exclusively } from "../exclusively.ts";
import type { BudgetNeeds } from "./needs.ts";
import { findLimitParts } from "./window-limit.ts";

type ReconcileNeeds = Pick<BudgetNeeds, "database" | "store" | "balances" | "clock">;

export async function reconcileWindows(needs: ReconcileNeeds): Promise<void> {
  await exclusively(needs, "budgets", async () => {
    const { database, clock } = needs;
    for (const budget of await readBudgets(database)) {
      const windows = await listOpenCaps(database, budget.id, clock.nowMs());
      for (const window of windows) await reconcileWindow(needs, budget, window);
    }
  });
}

async function reconcileWindow(
  needs: ReconcileNeeds,
  budget: BudgetRow,
  window: CapTable,
): Promise<void> {
  const recordedParts = limitPartsOf(window);
  if (recordedParts?.budgetMicros === budget.limit_micros) return;
  const parts = await findLimitParts(needs, budget, window);
  const isExplained = recordedParts !== null && limitOfParts(recordedParts) === window.limit_micros;
  if (isExplained) await needs.balances.setCapLimit(window.id, parts);
  else await writeLimitParts(needs.database, window.id, parts);
}
