// Taking an invitation into an organisation. Who is in already gets the role where it is the
// higher one, so an owner is made by nothing else.
import { GatewayError } from "../../core/errors.ts";
import {
  findInvitation,
  useInvitation,
  type InvitationRow,
} from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { findSeat, upsertOfMember } from "../../identity/organisations/queries.ts";
import { findAccount, type AccountRow } from "../../identity/queries.ts";
import { higherSeat, leaders } from "../../identity/role.ts";
import { digest } from "../../identity/secrets.ts";
import { commitTogether } from "../../store/database.ts";
import { StoreError } from "../../store/store.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import { isUsable, notInvited } from "../invitation/usable.ts";
import type { OrganisationCalls, OwnSeatView } from "./contract.ts";
import type { OrganisationNeeds } from "./needs.ts";

export async function joinOrganisation(
  needs: OrganisationNeeds,
  operator: Operator,
  { body: { code } }: InputOf<OrganisationCalls["join"]>,
): Promise<OwnSeatView> {
  return await exclusively(needs, "identity", async () => {
    const { database, clock } = needs;
    const invitation = await findInvitation(database, digest(code));
    const organisation = invitation?.organisation_id
      ? await findAccount(database, invitation.organisation_id)
      : null;
    if (!invitation || !organisation || !isUsable(invitation, clock.nowMs())) {
      throw notInvited("code");
    }
    if (!(await isStillOffered(needs, invitation, organisation))) throw notInvited("code");
    return await take(needs, operator, { invitation, organisation });
  });
}

/** True while its maker could make it today: who was removed comes back by no code of their own. */
async function isStillOffered(
  { database }: OrganisationNeeds,
  { created_by: makerId, role }: InvitationRow,
  { id, status }: AccountRow,
): Promise<boolean> {
  const seat = await findSeat(database, id, makerId);
  const maker = await findAccount(database, makerId);
  if (!seat || maker?.status !== "enabled" || status !== "enabled") return false;
  return role === "owner" ? seat.role === "owner" : leaders.includes(seat.role);
}

async function take(
  needs: OrganisationNeeds,
  operator: Operator,
  { invitation, organisation }: { invitation: InvitationRow; organisation: AccountRow },
): Promise<OwnSeatView> {
  const { id, username: name } = organisation;
  const person = existing(await findAccount(needs.database, operator.accountId));
  const before = await findSeat(needs.database, id, person.id);
  const offered = invitation.role ?? "member";
  const role = before ? higherSeat(before.role, offered) : offered;
  if (before?.role === role) {
    const message = `You are ${role} of the organisation ${name} already.`;
    throw new GatewayError("conflict", { message });
  }
  const changes = { person: person.username, role, invitation: invitation.id };
  const note = { action: "organisation.join", target: id, changes } as const;
  const { store, database } = noting(needs, operator, note);
  const member = {
    organisation_id: id,
    person_id: person.id,
    role,
    source: "hand",
    created_at_ms: needs.clock.nowMs(),
    project_id: before?.project_id ?? null,
    keys_until_ms: null,
  };
  try {
    const use = useInvitation(database, invitation.id);
    await commitTogether(store, [use, upsertOfMember(database, member)]);
  } catch (error) {
    if (error instanceof StoreError && error.kind === "conflict") throw notInvited("code");
    throw error;
  }
  return { id, name, role };
}
