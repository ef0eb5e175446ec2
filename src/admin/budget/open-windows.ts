// Windows of a budget that are not over, as of all that was decided so far: what a window was made
// by a moment ago may not be a row yet.
import type { BudgetId } from "../../core/ids.ts";
import type { BudgetRow } from "../../identity/budgets/queries.ts";
import { limitOfParts } from "../../quota/cap.ts";
import { listOpenCaps } from "../../quota/history/queries.ts";
import { toCapRow } from "../../quota/rows.ts";
import type { BudgetNeeds } from "./needs.ts";
import { findLimitParts, type WindowRow } from "./window-limit.ts";

type WindowNeeds = Pick<BudgetNeeds, "database" | "store" | "ledger" | "balances" | "clock">;

/** Those that have a row, and those that memory has for their first request. */
async function findOpenWindows(needs: WindowNeeds, id: BudgetId): Promise<WindowRow[]> {
  await awaitWindows(needs);
  const nowMs = needs.clock.nowMs();
  const rows: WindowRow[] = await listOpenCaps(needs.database, id, nowMs);
  const ids = new Set(rows.map((row) => row.id));
  const withoutRow = needs.balances.openCaps(id, nowMs).filter((cap) => !ids.has(cap.id));
  return [...rows, ...withoutRow.map(toCapRow)];
}

interface Change {
  before: BudgetRow;
  after: BudgetRow;
}

/**
 * Changes the row by `write`. Windows that are open end with their rhythm, or have the new limit,
 * with what they carried and what they were raised by.
 */
export async function changeWithWindows(
  needs: WindowNeeds,
  { before, after }: Change,
  write: () => Promise<void>,
): Promise<void> {
  await write();
  const isOver = after.since_ms !== before.since_ms;
  if (isOver) return await endWindows(needs, { id: after.id, atMs: after.since_ms });
  if (after.limit_micros !== before.limit_micros) await limitWindows(needs, after);
}

interface LimitChange {
  windowId: string;
  fromMicros: number;
  toMicros: number;
}

/** Gives open windows the limit that the budget makes, as it is now; tells which had another. */
export async function limitWindows(needs: WindowNeeds, budget: BudgetRow): Promise<LimitChange[]> {
  const changes: LimitChange[] = [];
  for (const window of await findOpenWindows(needs, budget.id)) {
    const parts = await findLimitParts(needs, budget, window);
    await needs.balances.setCapLimit(window.id, parts);
    const [fromMicros, toMicros] = [window.limit_micros, limitOfParts(parts)];
    if (fromMicros !== toMicros) changes.push({ windowId: window.id, fromMicros, toMicros });
  }
  return changes;
}

/**
 * Ends those that were opened before the moment, of one subject where one is named. A node that has
 * heard of the change sooner may have opened the next ones already, and those go on.
 */
export async function endWindows(
  needs: WindowNeeds,
  { id, atMs, subject = null }: { id: BudgetId; atMs: number; subject?: string | null },
): Promise<void> {
  for (const window of await findOpenWindows(needs, id)) {
    const isMeant = subject === null || window.subject_id === subject;
    if (isMeant && window.opened_at_ms < atMs) await needs.balances.closeCap(window.id, atMs);
  }
}

export async function awaitWindows({
  ledger,
  store,
}: Pick<WindowNeeds, "ledger" | "store">): Promise<void> {
  await ledger.settled();
  await store.applied();
}
