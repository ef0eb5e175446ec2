// Windows of a budget that are not over, as of all that was decided so far: what a window was made
// by a moment ago may not be a row yet.
import type { BudgetId } from "../../core/ids.ts";
import { listOpenCaps } from "../../quota/history/queries.ts";
import type { CapTable } from "../../store/tables/cap-schema.ts";
import type { BudgetNeeds } from "./needs.ts";

export type WindowNeeds = Pick<BudgetNeeds, "database" | "store" | "ledger" | "balances" | "clock">;

export async function findOpenWindows(needs: WindowNeeds, id: BudgetId): Promise<CapTable[]> {
  await awaitWindows(needs);
  return await listOpenCaps(needs.database, id, needs.clock.nowMs());
}

export async function awaitWindows({
  ledger,
  store,
}: Pick<WindowNeeds, "ledger" | "store">): Promise<void> {
  await ledger.settled();
  await store.applied();
}
