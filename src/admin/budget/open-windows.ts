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

/**
 * Ends those that were opened before the moment, of one subject where one is named. A node that has
 * heard of the change sooner may have opened the next ones already, and those go on.
 */
export async function endWindows(
  needs: WindowNeeds,
  { id, atMs, subject = null }: { id: BudgetId; atMs: number; subject?: string | null },
): Promise<void> {
  for (const cap of await findOpenWindows(needs, id)) {
    const isMeant = subject === null || cap.subject_id === subject;
    if (isMeant && cap.opened_at_ms < atMs) await needs.balances.closeCap(cap.id, atMs);
  }
}

export async function awaitWindows({
  ledger,
  store,
}: Pick<WindowNeeds, "ledger" | "store">): Promise<void> {
  await ledger.settled();
  await store.applied();
}
