// Windows of a budget that are not over, as of all that was decided so far: what a window was made
// by a moment ago may not be a row yet.
import type { BudgetId } from "../../core/ids.ts";
import { toBudget } from "../../identity/budgets/budget.ts";
import { BudgetLine } from "../../identity/budgets/line.ts";
import type { BudgetRow } from "../../identity/budgets/queries.ts";
import type { CapTerms } from "../../quota/cap.ts";
import { listOpenCaps } from "../../quota/history/queries.ts";
import type { CapTable } from "../../store/tables/cap-schema.ts";
import type { BudgetNeeds } from "./needs.ts";

type WindowNeeds = Pick<BudgetNeeds, "database" | "store" | "ledger" | "balances" | "clock">;

async function findOpenWindows(needs: WindowNeeds, id: BudgetId): Promise<CapTable[]> {
  await awaitWindows(needs);
  return await listOpenCaps(needs.database, id, needs.clock.nowMs());
}

interface Change {
  before: BudgetRow;
  after: BudgetRow;
}

/**
 * Changes the row by `write`. Windows that are open end with their rhythm, or have the new limit
 * with what they carried: those that were open before are raised, or lowered, by the difference.
 * One that was opened meanwhile, maybe by a node that knew the new limit, has just that.
 */
export async function changeWithWindows(
  needs: WindowNeeds,
  { before, after }: Change,
  write: () => Promise<void>,
): Promise<void> {
  const raised = after.limit_micros - before.limit_micros;
  const open = raised === 0 ? [] : await findOpenWindows(needs, before.id);
  await write();
  const isOver = after.since_ms !== before.since_ms;
  if (isOver) return await endWindows(needs, { id: after.id, atMs: after.since_ms });
  if (raised === 0) return;
  const known = new Set(open.map(({ id }) => id));
  for (const cap of await findOpenWindows(needs, after.id)) {
    const limit = known.has(cap.id)
      ? cap.limit_micros + raised
      : await limitOfFresh(needs, after, cap);
    await needs.balances.setCapLimit(cap.id, Math.max(0, limit));
  }
}

/** Limit that the window has by the budget as it is now. */
async function limitOfFresh(
  { database, clock, balances }: WindowNeeds,
  row: BudgetRow,
  cap: CapTable,
): Promise<number> {
  const caps = (all: readonly CapTerms[]) => balances.caps(all);
  const line = new BudgetLine({ database, clock, caps }, toBudget(row), cap.subject_id);
  const terms = await line.look();
  return terms?.id === cap.id ? terms.limitMicros : cap.limit_micros;
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
