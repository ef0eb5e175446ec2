// A project of an organisation, by its name or its id.
import { invalid } from "../../core/errors.ts";
import type { AccountId, ProjectId } from "../../core/ids.ts";
import { findProject, type ProjectRow } from "../../identity/organisations/queries.ts";
import type { Database } from "../../store/database.ts";
import { isId } from "../input.ts";

/** One of another organisation is not there. */
export async function findProjectNamed(
  { database }: { database: Database },
  organisationId: AccountId,
  named: string,
): Promise<ProjectRow> {
  const by = isId(named, "prj_") ? { id: named as ProjectId } : { name: named };
  const project = await findProject(database, organisationId, by);
  if (!project) throw invalid("project", `names no project: ${named}`);
  return project;
}
