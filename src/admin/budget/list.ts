// Lists budgets, and the windows of one.
import { readBudgets } from "../../identity/budgets/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { listCaps } from "../../quota/history/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { accountNamed } from "../named.ts";
import { cutPage, pageOf, toListed } from "../page.ts";
import type { BudgetCalls, BudgetView, BudgetWindowView } from "./contract.ts";
import { findVisible } from "./find.ts";
import type { BudgetNeeds } from "./needs.ts";
import { awaitWindows } from "./open-windows.ts";
import { findOneOfMany } from "./renew.ts";
import { subjectNamesOf, viewBudget, viewBudgets, viewWindow } from "./view.ts";

/** One's own; with the permission everyone's, or those of the `account` that is named. */
export async function listBudgets(
  needs: BudgetNeeds,
  operator: Operator,
  { query }: InputOf<BudgetCalls["list"]>,
): Promise<Listed<BudgetView>> {
  const { q: prefix = "", status, scope } = query;
  const isAll = operator.may.has("budgets.read");
  const accountId = isAll ? await accountNamed(needs, query.account) : operator.accountId;
  const rows = (await readBudgets(needs.database)).filter(
    (row) =>
      (accountId === null || row.account_id === accountId) &&
      (status === undefined || row.status === status) &&
      (scope === undefined || row.scope === scope) &&
      row.name.toLowerCase().startsWith(prefix.toLowerCase()),
  );
  const page = cutPage(pageOf(query), rows);
  return { ...page, items: await viewBudgets(needs, page.items) };
}

export async function readBudget(
  needs: BudgetNeeds,
  operator: Operator,
  { id }: InputOf<BudgetCalls["read"]>,
): Promise<BudgetView> {
  return await viewBudget(needs, await findVisible(needs, operator, id));
}

/** Newest first. */
export async function listWindows(
  needs: BudgetNeeds,
  operator: Operator,
  { id, query }: InputOf<BudgetCalls["windows"]>,
): Promise<Listed<BudgetWindowView>> {
  const row = await findVisible(needs, operator, id);
  const subjectId = await findOneOfMany(needs, row, query.subject);
  const page = pageOf(query);
  await awaitWindows(needs);
  const { items, total } = await listCaps(needs.database, { budgetId: row.id, subjectId }, page);
  const caps = await needs.balances.caps(items);
  const nameOf = await subjectNamesOf(
    needs.database,
    caps.map(({ subjectId: id }) => id),
  );
  const views = caps.map((cap) => viewWindow(cap, nameOf(cap.subjectId)));
  return toListed(page, views, total);
}
