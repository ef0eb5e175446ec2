// The rest of budgets, for those who spend under them: a program by its key, a person.
import type { BudgetLine } from "../../identity/budgets/line.ts";
import type { Caller, Operator } from "../../identity/caller.ts";
import type { AccountId, ProjectId } from "../../core/ids.ts";
import { readMembers, readProjects } from "../../identity/organisations/queries.ts";
import { listKeys } from "../../identity/listing/queries.ts";
import type { InputOf } from "../call.ts";
import { findVisible } from "../key/find.ts";
import type { BudgetCalls, BudgetState } from "./contract.ts";
import type { BudgetNeeds } from "./needs.ts";
import { viewStates } from "./view.ts";

export type BudgetStateNeeds = Pick<BudgetNeeds, "database" | "budgets" | "balances" | "clock">;

/** Most keys of one account whose budgets are shown at once: all, where `keys_max` is the usual. */
const keysMax = 1000;

/** Every budget of a key, those of its parents included, and those of the label that it names. */
export async function readCallerBudgets(
  needs: BudgetStateNeeds,
  caller: Caller,
  label: string | null,
): Promise<{ object: "list"; data: BudgetState[] }> {
  const lines = caller.budgets?.lines({ label }) ?? [];
  return { object: "list", data: await viewStates(needs, lines, caller.budgets?.unnamed) };
}

/** Those of the account and its keys; in an organisation also of members and projects without. */
export async function readOwnBudgets(
  needs: BudgetStateNeeds,
  { accountId, seat }: Operator,
): Promise<{ budgets: BudgetState[] }> {
  const makerId = seat?.role === "member" ? seat.personId : null;
  const filter = { accountId, ...(makerId !== null && { makerId }) };
  const { items } = await listKeys(needs.database, filter, { limit: keysMax, offset: 0 });
  const whole = { account_id: accountId, id: null, maker_id: makerId, project_id: null };
  const parts = seat && makerId === null ? await readParts(needs.database, accountId) : [];
  const lines = new Set<BudgetLine>();
  const unnamed = new Set<string>();
  for (const subject of [whole, ...parts.map((part) => ({ ...whole, ...part })), ...items]) {
    const budgets = needs.budgets.of(subject);
    for (const line of budgets?.lines({}) ?? []) lines.add(line);
    if (makerId !== null) for (const id of budgets?.unnamed ?? []) unnamed.add(id);
  }
  return { budgets: await viewStates(needs, [...lines], unnamed) };
}

async function readParts(
  database: BudgetStateNeeds["database"],
  organisationId: Operator["accountId"],
): Promise<({ maker_id: AccountId } | { project_id: ProjectId })[]> {
  const [members, projects] = await Promise.all([
    readMembers(database, organisationId),
    readProjects(database, organisationId),
  ]);
  return [
    ...members.map(({ person_id: maker_id }) => ({ maker_id })),
    ...projects.map(({ id: project_id }) => ({ project_id })),
  ];
}

/** Budgets of a key, for its owner and for admins. */
export async function readKeyBudgets(
  needs: BudgetStateNeeds,
  operator: Operator,
  { id }: InputOf<BudgetCalls["ofKey"]>,
): Promise<{ budgets: BudgetState[] }> {
  const budgets = needs.budgets.of(await findVisible(needs, operator, id));
  const isMember = operator.seat?.role === "member";
  const unnamed = isMember ? budgets?.unnamed : undefined;
  return { budgets: await viewStates(needs, budgets?.lines({}) ?? [], unnamed) };
}
