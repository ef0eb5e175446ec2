// Projects, members and budgets from elsewhere: parts of accounts that have come before them.
import type { BudgetScope } from "../../config/budget.ts";
import { budgetChecker } from "../../config/entity-rules.ts";
import type { AccountId, ProjectId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import { compile, parseWith } from "../../core/schema.ts";
import { insertOfBudget } from "../../identity/budgets/queries.ts";
import { insertOfProject, upsertOfMember } from "../../identity/organisations/queries.ts";
import { toFields } from "../budget/row.ts";
import { assertMayAddTo } from "./authority.ts";
import { ImportedBudget, ImportedMember, ImportedProject } from "./contract.ts";
import type { ImportBy, ImportNeeds, ImportOutcome } from "./needs.ts";
import { readImported } from "./queries.ts";
import { comeOf, writeRows } from "./rows.ts";

const projectChecker = compile(ImportedProject);
const memberChecker = compile(ImportedMember);
const importedBudgetChecker = compile(ImportedBudget);

export async function importProjects(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<ImportOutcome[]> {
  const accounts = await readImported(needs.database, by.source, "accounts");
  const { outcomes } = await writeRows(needs, by, {
    kind: "projects",
    rows,
    refField: "ref",
    make: async (imported) => {
      const { organisation, name, status } = parseWith(projectChecker, imported);
      const id = needs.ids.project();
      const organisation_id = comeOf(accounts, organisation) as AccountId;
      const row = { id, organisation_id, name, status, created_at_ms: needs.clock.nowMs() };
      const queries = [insertOfProject(needs.database, row)];
      return { id, queries, action: "project.create", changes: { organisation_id, name } };
    },
  });
  return outcomes;
}

export async function importMembers(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<ImportOutcome[]> {
  const accounts = await readImported(needs.database, by.source, "accounts");
  const projects = await readImported(needs.database, by.source, "projects");
  const { outcomes } = await writeRows(needs, by, {
    kind: "members",
    rows,
    refField: "ref",
    make: async (imported) => {
      const { organisation, person, role, project } = parseWith(memberChecker, imported);
      const organisation_id = comeOf(accounts, organisation) as AccountId;
      const person_id = comeOf(accounts, person) as AccountId;
      await assertMayAddTo(needs, by, person_id, "people.write");
      const project_id = project === undefined ? null : (comeOf(projects, project) as ProjectId);
      const seat = { organisation_id, person_id, role, source: "hand", project_id };
      const row = { ...seat, keys_until_ms: null, created_at_ms: needs.clock.nowMs() };
      const queries = [upsertOfMember(needs.database, row)];
      const changes = { person: person_id, role };
      return { id: organisation_id, queries, action: "organisation.join", changes };
    },
  });
  return outcomes;
}

/** Lists that hold what a budget of the scope is for. */
const homes: Readonly<Partial<Record<BudgetScope, string>>> = {
  member: "accounts",
  project: "projects",
  key: "keys",
};

export async function importBudgets(
  needs: ImportNeeds,
  by: ImportBy,
  rows: readonly JsonObject[],
): Promise<ImportOutcome[]> {
  const { database, clock, ids } = needs;
  const accounts = await readImported(database, by.source, "accounts");
  const { outcomes } = await writeRows(needs, by, {
    kind: "budgets",
    rows,
    refField: "ref",
    make: async (imported) => {
      const row = parseWith(importedBudgetChecker, imported);
      const input = parseWith(budgetChecker, row.budget);
      const home = homes[input.scope ?? "account"];
      const subjects = home && (await readImported(database, by.source, home));
      const subjectId = subjects && row.subject !== null ? comeOf(subjects, row.subject) : null;
      const account_id = comeOf(accounts, row.account) as AccountId;
      await assertMayAddTo(needs, by, account_id, "budgets.write");
      const [id, nowMs] = [ids.budget(), clock.nowMs()];
      const terms = { status: "enabled", declared: 0, is_operators: 1 } as const;
      const moments = { since_ms: nowMs, created_at_ms: nowMs };
      const budget = { id, account_id, ...toFields(input, subjectId), ...terms, ...moments };
      const queries = [insertOfBudget(database, budget)];
      const changes = { account: account_id, name: input.name, limit_micros: input.limit_micros };
      return { id, queries, action: "budget.create", changes };
    },
  });
  if (rows.length > 0) await needs.reload.budgets();
  return outcomes;
}
