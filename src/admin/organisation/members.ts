// Members of an organisation: who they are, what they may do, and how they leave.
import { GatewayError } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import {
  changesOfLeaving,
  isOwnedByOthers,
  readLiveKeys,
  readMembers,
  updateOfSeat,
  type ListedMember,
} from "../../identity/organisations/queries.ts";
import { commitTogether } from "../../store/database.ts";
import { changesOf } from "../audit/changes.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing, readAccountId, toSeconds, toSecondsOrNull } from "../input.ts";
import type { MemberView, OrganisationCalls } from "./contract.ts";
import type { OrganisationNeeds } from "./needs.ts";
import { findProjectNamed } from "./find-project.ts";
import { ratesOf } from "./part-rates.ts";
import { seatOf } from "./seat.ts";

export async function listMembers(
  { database }: OrganisationNeeds,
  { accountId }: Pick<Operator, "accountId">,
): Promise<{ items: MemberView[] }> {
  return { items: (await readMembers(database, accountId)).map(toView) };
}

function toView(row: ListedMember): MemberView {
  return {
    id: row.person_id,
    username: row.username,
    role: row.role,
    status: row.status,
    project: row.project,
    source: row.source,
    keys: row.keys,
    keys_until: toSecondsOrNull(row.keys_until_ms),
    ...ratesOf(row),
    joined_at: toSeconds(row.created_at_ms),
  };
}

export async function changeMember(
  needs: OrganisationNeeds,
  operator: Operator,
  { id, body }: InputOf<OrganisationCalls["changeMember"]>,
): Promise<MemberView> {
  return await exclusively(needs, "identity", async () => {
    const before = await findMember(needs, operator, id);
    const { role = before.role } = body;
    const place = await placeOf(needs, before, body.project);
    const after = { ...before, role, ...place, ...ratesOf(before, body) };
    const changed = changesOf(
      { role: before.role, project: before.project, ...ratesOf(before) },
      { role: after.role, project: after.project, ...ratesOf(after) },
    );
    if (Object.keys(changed).length === 0) return toView(before);
    if (role !== before.role) await assertOwnerRemains(needs, before);
    const changes = { person: before.username, ...changed };
    const note = { action: "organisation.role", target: operator.accountId, changes } as const;
    const { store, database } = noting(needs, operator, note);
    await commitTogether(store, [updateOfSeat(database, before, after)]);
    needs.authenticator.forget();
    return toView(after);
  });
}

/** Project of its new keys from now on; null: none. */
async function placeOf(
  needs: OrganisationNeeds,
  { organisation_id: owner, project_id, project }: ListedMember,
  named: string | null | undefined,
): Promise<Pick<ListedMember, "project_id" | "project">> {
  if (named === undefined) return { project_id, project };
  if (named === null) return { project_id: null, project: null };
  const { id, name } = await findProjectNamed(needs, owner, named);
  return { project_id: id, project: name };
}

export async function removeMember(
  needs: OrganisationNeeds,
  operator: Operator,
  { id, query }: InputOf<OrganisationCalls["removeMember"]>,
): Promise<{ id: string }> {
  return await exclusively(needs, "identity", async () => {
    const member = await findMember(needs, operator, id);
    return await remove(needs, operator, member, query.keep_keys);
  });
}

export async function leaveOrganisation(
  needs: OrganisationNeeds,
  operator: Operator,
): Promise<{ id: string }> {
  return await exclusively(needs, "identity", async () => {
    const member = await findMember(needs, operator, seatOf(operator).personId);
    await remove(needs, operator, member, false);
    return { id: operator.accountId };
  });
}

/** Seat, tokens and keys go in the commit of the entry that names the keys. */
async function remove(
  needs: OrganisationNeeds,
  operator: Operator,
  member: ListedMember,
  keepsKeys: boolean,
): Promise<{ id: string }> {
  await assertOwnerRemains(needs, member);
  const { organisation_id: id, person_id: person } = member;
  const keys = (await readLiveKeys(needs.database, id, person)).map((key) => key.id);
  const fate = keepsKeys ? { kept_keys: keys } : { revoked_keys: keys };
  const changes = { person: member.username, role: member.role, ...fate };
  const note = { action: "organisation.remove_member", target: id, changes } as const;
  const { store, database } = noting(needs, operator, note);
  const leaving = { ...member, keepsKeys, nowMs: needs.clock.nowMs() };
  await commitTogether(store, changesOfLeaving(database, leaving));
  needs.authenticator.forget();
  return { id: person };
}

/** An owner is an owner's affair, and everyone is their own. */
async function findMember(
  { database }: OrganisationNeeds,
  operator: Operator,
  id: string,
): Promise<ListedMember> {
  const personId: AccountId = readAccountId(id);
  const members = await readMembers(database, operator.accountId);
  const member = existing(members.find(({ person_id }) => person_id === personId));
  const { role, personId: self } = seatOf(operator);
  if (member.role !== "owner" || role === "owner" || self === personId) return member;
  const message = "An owner of the organisation is changed by an owner.";
  throw new GatewayError("permission_denied", { message });
}

/** Without an owner nobody could make another one. */
async function assertOwnerRemains(
  { database }: OrganisationNeeds,
  member: ListedMember,
): Promise<void> {
  if (member.role !== "owner" || (await isOwnedByOthers(database, member))) return;
  const message = "The last owner stays: invite another owner first, or delete the organisation.";
  throw new GatewayError("conflict", { message });
}
