// Makes a budget for an account.
import { budgetDefaults } from "../../config/budget.ts";
import { GatewayError, invalid } from "../../core/errors.ts";
import { insertBudget } from "../../identity/budgets/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccountByName, isSameName, type AccountRow } from "../../identity/queries.ts";
import { brief } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import { assertMayUse, assertPermitted } from "../authority.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, orConflict } from "../input.ts";
import { findNamedAccount } from "../named.ts";
import type { BudgetCalls, BudgetView } from "./contract.ts";
import { assertRoom, findSubject } from "./find.ts";
import type { BudgetNeeds } from "./needs.ts";
import { toFields } from "./row.ts";
import { viewBudget } from "./view.ts";

export const nameTaken = "The account has a budget of this name already.";

export async function createBudget(
  needs: BudgetNeeds,
  operator: Operator,
  { body }: InputOf<BudgetCalls["create"]>,
): Promise<BudgetView> {
  const { account: owner = operator.username, ...input } = body;
  const isOfChannel = input.scope === "channel";
  if (isOfChannel) assertPermitted(operator, "budgets.write", "scope");
  return await exclusively(needs, "budgets", async () => {
    const { database, clock, ids } = needs;
    const { id: accountId, username } = isOfChannel
      ? await findGatewaysOwn(needs)
      : await findOwner(needs, operator, owner);
    const subjectId = await findSubject(database, { scope: "account", ...input, accountId });
    const nowMs = clock.nowMs();
    const row = {
      id: ids.budget(),
      account_id: accountId,
      ...toFields(input, subjectId),
      status: "enabled",
      declared: 0,
      is_operators: operator.may.has("budgets.write") ? 1 : 0,
      since_ms: nowMs,
      created_at_ms: nowMs,
    } as const;
    await assertRoom(needs, row);
    const changes = brief({ ...input, account: username });
    const note = { action: "budget.create", target: row.id, changes } as const;
    await orConflict(insertBudget(noting(needs, operator, note).database, row), nameTaken);
    await needs.reload.budgets();
    return await viewBudget(needs, row);
  });
}

/** Budgets of channels are nobody's own: they stay whoever made them goes. */
async function findGatewaysOwn({ database }: BudgetNeeds): Promise<AccountRow> {
  return existing(await findAccountByName(database, budgetDefaults.account));
}

/** Others are named by those who may; everyone else does not learn who else there is. */
async function findOwner(
  needs: BudgetNeeds,
  operator: Operator,
  named: string,
): Promise<AccountRow> {
  const isOwn = isSameName(named, operator.username) || named === operator.accountId;
  if (!operator.may.has("budgets.write") && !isOwn) {
    throw new GatewayError("permission_denied", { param: "account" });
  }
  const account = await findNamedAccount(needs.database, named);
  if (!account) throw invalid("account", `names no account: ${named}`);
  await assertMayUse(needs, operator, { account, permission: "budgets.write" });
  return account;
}
