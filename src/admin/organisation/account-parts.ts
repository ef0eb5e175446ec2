// Members and projects of an organisation for those who run the gateway, by the id of its account.
import type { AccountId } from "../../core/ids.ts";
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccount } from "../../identity/queries.ts";
import { readAccountId } from "../input.ts";
import type { MemberView, ProjectView } from "./contract.ts";
import { listMembers } from "./members.ts";
import type { OrganisationNeeds } from "./needs.ts";
import { listProjects } from "./projects.ts";

export async function listMembersOfAccount(
  needs: OrganisationNeeds,
  _operator: Operator,
  { id }: { id: string },
): Promise<{ items: MemberView[] }> {
  return await listMembers(needs, { accountId: await findOrganisation(needs, id) });
}

export async function listProjectsOfAccount(
  needs: OrganisationNeeds,
  _operator: Operator,
  { id }: { id: string },
): Promise<{ items: ProjectView[] }> {
  return await listProjects(needs, { accountId: await findOrganisation(needs, id) });
}

/** A person has neither. */
async function findOrganisation({ database }: OrganisationNeeds, id: string): Promise<AccountId> {
  const account = await findAccount(database, readAccountId(id));
  if (account?.kind !== "organisation") throw new GatewayError("not_found");
  return account.id;
}
