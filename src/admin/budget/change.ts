// Changes some fields of a budget; what it becomes is judged as a whole.
import { budgetDefaults, type BudgetFields } from "../../config/budget.ts";
import { budgetChecker } from "../../config/entity-rules.ts";
import { invalid } from "../../core/errors.ts";
import { parseWith } from "../../core/schema.ts";
import { updateBudget, type BudgetRow } from "../../identity/budgets/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { mergePatch, orConflict } from "../input.ts";
import type { BudgetCalls, BudgetView } from "./contract.ts";
import { nameTaken } from "./create.ts";
import { assertRoom, findChangeable, findSubject } from "./find.ts";
import type { BudgetNeeds } from "./needs.ts";
import { hasOtherRhythm, toFields, toInput } from "./row.ts";
import { changeWithWindows } from "./open-windows.ts";
import { viewBudget } from "./view.ts";

export async function changeBudget(
  needs: BudgetNeeds,
  operator: Operator,
  { id, body }: InputOf<BudgetCalls["change"]>,
): Promise<BudgetView> {
  return await exclusively(needs, "budgets", async () => {
    const before = await findChangeable(needs, operator, id);
    const { status = before.status, ...fields } = body;
    const input = parseWith(budgetChecker, mergePatch(toInput(before), fields));
    if ((input.scope === "channel") !== (before.scope === "channel")) {
      throw invalid("scope", "cannot become channel, nor another one from it");
    }
    const subjectId = await subjectAfter(needs, before, input);
    const changed = { ...before, ...toFields(input, subjectId), status };
    const row = hasOtherRhythm(before, changed)
      ? { ...changed, since_ms: needs.clock.nowMs() }
      : changed;
    await assertRoom(needs, row);
    const changes = changesOf(
      { ...toInput(before), status: before.status },
      { ...toInput(row), status },
    );
    const note = { action: "budget.change", target: row.id, changes } as const;
    await changeWithWindows(needs, { before, after: row }, async () => {
      await orConflict(updateBudget(noting(needs, operator, note).database, row), nameTaken);
      await needs.reload.budgets();
    });
    return await viewBudget(needs, row);
  });
}

/** One that stays as it was may be gone by now: its budget can still be changed. */
async function subjectAfter(
  { database }: BudgetNeeds,
  before: BudgetRow,
  { scope = budgetDefaults.scope, subject }: BudgetFields,
): Promise<string | null> {
  if (scope === before.scope && subject === before.subject_id) return subject;
  return await findSubject(database, { scope, subject, accountId: before.account_id });
}
