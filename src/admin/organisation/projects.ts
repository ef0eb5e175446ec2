// Projects of an organisation, which keys may be put into.
import type { AccountId, ProjectId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import {
  deleteProject,
  findProject,
  insertProject,
  readProjects,
  updateProject,
  type ProjectRow,
} from "../../identity/organisations/queries.ts";
import { noPartRates, ratesOf } from "./part-rates.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, orConflict, readProjectId, toSeconds } from "../input.ts";
import type { OrganisationCalls, ProjectView } from "./contract.ts";
import type { OrganisationNeeds } from "./needs.ts";

export async function listProjects(
  { database }: OrganisationNeeds,
  { accountId }: Pick<Operator, "accountId">,
): Promise<{ items: ProjectView[] }> {
  return { items: (await readProjects(database, accountId)).map(toView) };
}

export async function createProject(
  needs: OrganisationNeeds,
  operator: Operator,
  { body }: InputOf<OrganisationCalls["createProject"]>,
): Promise<ProjectView> {
  const { name } = body;
  const row: ProjectRow = {
    id: needs.ids.project(),
    organisation_id: operator.accountId,
    ...noPartRates,
    ...body,
    status: "enabled",
    created_at_ms: needs.clock.nowMs(),
  };
  const changes = { organisation: operator.accountId, ...body };
  const note = { action: "project.create", target: row.id, changes } as const;
  await orConflict(insertProject(noting(needs, operator, note).database, row), taken(name));
  return toView(row);
}

export async function changeProject(
  needs: OrganisationNeeds,
  operator: Operator,
  { id, body }: InputOf<OrganisationCalls["changeProject"]>,
): Promise<ProjectView> {
  return await exclusively(needs, "identity", async () => {
    const before = await findOwn(needs, operator.accountId, id);
    const after = { ...before, ...body };
    const changes = changesOf({ ...before }, after);
    if (Object.keys(changes).length === 0) return toView(before);
    const note = { action: "project.change", target: before.id, changes } as const;
    const { database } = noting(needs, operator, note);
    await orConflict(updateProject(database, before.id, body), taken(after.name));
    needs.authenticator.forget();
    return toView(after);
  });
}

export async function removeProject(
  needs: OrganisationNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  return await exclusively(needs, "identity", async () => {
    const { id: projectId, name } = await findOwn(needs, operator.accountId, id);
    const note = { action: "project.remove", target: projectId, changes: { name } } as const;
    const { store, database } = noting(needs, operator, note);
    await deleteProject(store, database, projectId);
    needs.authenticator.forget();
    return { id: projectId };
  });
}

async function findOwn(
  { database }: OrganisationNeeds,
  organisationId: AccountId,
  id: string,
): Promise<ProjectRow> {
  const projectId: ProjectId = readProjectId(id);
  return existing(await findProject(database, organisationId, { id: projectId }));
}

function taken(name: string): string {
  return `There is already a project of the name ${name}.`;
}

function toView(row: ProjectRow): ProjectView {
  const { id, name, status, created_at_ms: createdAtMs } = row;
  return { id, name, status, ...ratesOf(row), created_at: toSeconds(createdAtMs) };
}
