// Memberships that the groups of a person give, by the rules of its provider.
import type { GroupRules } from "../../config/oauth.ts";
import type { AccountId, ProjectId } from "../../core/ids.ts";
import { findProject } from "../../identity/organisations/queries.ts";
import { findAccountByName } from "../../identity/queries.ts";
import { permissionsOf, type Rights } from "../../identity/roles/rights.ts";
import { higherSeat, type SeatRole } from "../../identity/role.ts";
import type { OAuthNeeds } from "./needs.ts";

interface WantedSeat {
  role: SeatRole;
  projectId: ProjectId | null;
}

export function givenBy({ memberships }: GroupRules, groups: readonly string[]) {
  return memberships.filter(({ group }) => groups.includes(group));
}

/** The role with the most permissions of several; one that is not there is told of. */
export async function wantedRole(
  { database, log }: OAuthNeeds,
  memberships: GroupRules["memberships"],
): Promise<string | null> {
  let best: Rights | null = null;
  for (const { role, group } of memberships) {
    if (role === undefined) continue;
    const may = await permissionsOf(database, role);
    if (!may) log.warn("a group names no role", { group, role });
    else if (may.size > (best?.may.size ?? 0)) best = { role, may };
  }
  return best?.role ?? null;
}

/** Keeps the higher of two roles in one organisation; one that is not there is told of. */
export async function wantedSeats(
  { database, log }: OAuthNeeds,
  memberships: GroupRules["memberships"],
): Promise<Map<AccountId, WantedSeat>> {
  const seats = new Map<AccountId, WantedSeat>();
  for (const { organisation: name, as = "member", project, group } of memberships) {
    if (name === undefined) continue;
    const organisation = await findAccountByName(database, name);
    if (organisation?.kind !== "organisation") {
      log.warn("a group names no organisation", { group, organisation: name });
      continue;
    }
    const { id } = organisation;
    const place = project === undefined ? null : await findProject(database, id, { name: project });
    if (project !== undefined && !place) log.warn("a group names no project", { group, project });
    const before = seats.get(id);
    const role = before ? higherSeat(before.role, as) : as;
    seats.set(id, { role, projectId: before?.projectId ?? place?.id ?? null });
  }
  return seats;
}
