// Makes the budgets those that the configuration file declares.
import { budgetDefaults, type BudgetInput } from "../../config/budget.ts";
import { ConfigError } from "../../config/problems.ts";
import { GatewayError } from "../../core/errors.ts";
import {
  deleteBudget,
  insertBudget,
  readBudgets,
  updateBudget,
  type BudgetRow,
} from "../../identity/budgets/queries.ts";
import { findAccountByName, type AccountRow } from "../../identity/queries.ts";
import { changesOf } from "../audit/changes.ts";
import { configActor, noting } from "../audit/entry.ts";
import { findSubject } from "../budget/find.ts";
import { changeWithWindows } from "../budget/open-windows.ts";
import { hasOtherRhythm, toFields, toInput } from "../budget/row.ts";
import { agrees } from "./agrees.ts";
import type { DeclaredNeeds } from "./needs.ts";

interface Wanted {
  account: AccountRow;
  fields: ReturnType<typeof toFields>;
}

/**
 * One whose account or key is not there any more is told and left out, as keys are. One that
 * `known` has not is a slip of who wrote the file, and is thrown.
 */
export async function applyBudgets(
  needs: DeclaredNeeds,
  budgets: readonly BudgetInput[],
  known: readonly BudgetInput[],
): Promise<void> {
  const all = await resolveAll(needs, budgets, known);
  const rows = new Map((await readBudgets(needs.database)).map((row) => [keyOf(row), row]));
  for (const wanted of all) {
    const key = keyOf({ account_id: wanted.account.id, name: wanted.fields.name });
    const before = rows.get(key);
    rows.delete(key);
    if (before) await change(needs, wanted, before);
    else await add(needs, wanted);
  }
  for (const { id, name, declared } of rows.values()) {
    if (declared === 0) continue;
    const note = { action: "budget.remove", target: id, changes: { name } } as const;
    const { store, database } = noting(needs, configActor, note);
    await deleteBudget(store, database, id);
  }
  await needs.reload.budgets();
}

function keyOf({ account_id: account, name }: Pick<BudgetRow, "account_id" | "name">): string {
  return `${account} ${name}`;
}

async function resolveAll(
  needs: DeclaredNeeds,
  budgets: readonly BudgetInput[],
  known: readonly BudgetInput[],
): Promise<Wanted[]> {
  const problems: string[] = [];
  const wanted: Wanted[] = [];
  for (const [at, input] of budgets.entries()) {
    const resolved = await resolve(needs, input);
    if (typeof resolved !== "string") wanted.push(resolved);
    else if (known.some((one) => one.account === input.account && one.subject === input.subject)) {
      needs.log.warn("a declared budget is left out", { reason: `budgets.${at}.${resolved}` });
    } else problems.push(`budgets.${at}.${resolved}`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return wanted;
}

async function resolve({ database }: DeclaredNeeds, input: BudgetInput): Promise<Wanted | string> {
  const { account: named = budgetDefaults.account, ...fields } = input;
  const account = await findAccountByName(database, named);
  if (!account) return `account names no account: ${named}`;
  const ask = { scope: budgetDefaults.scope, ...fields, accountId: account.id };
  try {
    return { account, fields: toFields(fields, await findSubject(database, ask)) };
  } catch (error) {
    if (error instanceof GatewayError && error.param === "subject") return error.message;
    throw error;
  }
}

async function add(needs: DeclaredNeeds, { account, fields }: Wanted): Promise<void> {
  const nowMs = needs.clock.nowMs();
  const row = {
    id: needs.ids.budget(),
    account_id: account.id,
    ...fields,
    status: "enabled",
    declared: 1,
    is_operators: 1,
    since_ms: nowMs,
    created_at_ms: nowMs,
  } as const;
  const changes = { ...changesOf(null, toInput(row)), account: account.username };
  const note = { action: "budget.create", target: row.id, changes } as const;
  await insertBudget(noting(needs, configActor, note).database, row);
}

async function change(needs: DeclaredNeeds, { fields }: Wanted, before: BudgetRow): Promise<void> {
  const wanted: Partial<BudgetRow> = { ...fields, declared: 1, is_operators: 1 };
  if (agrees(before, wanted)) return;
  const changed = { ...before, ...wanted };
  const row = hasOtherRhythm(before, changed)
    ? { ...changed, since_ms: needs.clock.nowMs() }
    : changed;
  const changes = changesOf(toInput(before), toInput(row));
  const note = { action: "budget.change", target: row.id, changes } as const;
  const { database } = noting(needs, configActor, note);
  await changeWithWindows(needs, { before, after: row }, () => updateBudget(database, row));
}
