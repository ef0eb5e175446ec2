// Begins a new window now: of the whole budget, or of one subject alone.
import type { BudgetRow } from "../../identity/budgets/queries.ts";
import { updateBudget, writeOpening } from "../../identity/budgets/queries.ts";
import { isOfEach } from "../../identity/budgets/budget.ts";
import type { Operator } from "../../identity/caller.ts";
import { invalid } from "../../core/errors.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import type { BudgetCalls, BudgetView } from "./contract.ts";
import { findChangeable, findSubject } from "./find.ts";
import type { BudgetNeeds } from "./needs.ts";
import { endWindows } from "./open-windows.ts";
import { viewBudget } from "./view.ts";

export async function renewBudget(
  needs: BudgetNeeds,
  operator: Operator,
  { id, body }: InputOf<BudgetCalls["renew"]>,
): Promise<BudgetView> {
  return await exclusively(needs, "budgets", async () => {
    const before = await findChangeable(needs, operator, id);
    const subject = await findOneOfMany(needs, before, body.subject);
    const nowMs = needs.clock.nowMs();
    const changes = subject === null ? {} : { subject };
    const note = { action: "budget.renew", target: before.id, changes } as const;
    const { database } = noting(needs, operator, note);
    const row = subject === null ? { ...before, since_ms: nowMs } : before;
    if (subject === null) await updateBudget(database, row);
    else {
      const opening = { id: row.id, subject, openedAtMs: nowMs, openSinceMs: nowMs };
      await writeOpening(database, opening);
    }
    await endWindows(needs, { id: row.id, atMs: nowMs, subject });
    await needs.reload.budgets();
    return await viewBudget(needs, row);
  });
}

/** Null where none was named, or where there is but one anyway. */
export async function findOneOfMany(
  { database }: Pick<BudgetNeeds, "database">,
  { account_id: accountId, scope, subject_id: subjectId }: BudgetRow,
  subject: string | undefined,
): Promise<string | null> {
  if (subject === undefined) return null;
  if (scope === "account") throw invalid("subject", "is not what this budget is for");
  const oneId = await findSubject(database, { accountId, scope, subject });
  if (isOfEach({ scope, subjectId })) return oneId;
  if (oneId === subjectId) return null;
  throw invalid("subject", "is not what this budget is for");
}
