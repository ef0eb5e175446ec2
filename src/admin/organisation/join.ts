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
import { higherSeat, leaders, type SeatRole } from "../../identity/role.ts";
import { digest } from "../../identity/secrets.ts";
import { commitTogether } from "../../store/database.ts";
import { StoreError } from "../../store/store.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import { exclusively } from "../exclusively.ts";
import { existing } from "../input.ts";
import { isUsable, notInvited } from "../invitation/usable.ts";
import type { OrganisationCalls, OwnSeatView, SeatOffer } from "./contract.ts";
import type { OrganisationNeeds } from "./needs.ts";

export async function joinOrganisation(
  needs: OrganisationNeeds,
  operator: Operator,
  { body: { code } }: InputOf<OrganisationCalls["join"]>,
): Promise<OwnSeatView> {
  return await exclusively(needs, "identity", async () => {
    return await take(needs, operator, await findOffer(needs, code));
  });
}

/** Tells what a code brings, and by whom: whoever has the code may take it. */
export async function readOffer(
  needs: OrganisationNeeds,
  _operator: Operator,
  { body: { code } }: InputOf<OrganisationCalls["readOffer"]>,
): Promise<SeatOffer> {
  const { invitation, organisation, maker } = await findOffer(needs, code);
  const { username: name } = organisation;
  return { organisation: name, role: roleOf(invitation), invited_by: maker.username };
}

interface Offer {
  invitation: InvitationRow;
  organisation: AccountRow;
  maker: AccountRow;
}

/**
 * An invitation is good while its maker could make it today: who was removed comes back by no code
 * of their own. Whatever is wrong with a code, the answer is the same.
 */
async function findOffer(needs: OrganisationNeeds, code: string): Promise<Offer> {
  const { database, clock } = needs;
  const invitation = await findInvitation(database, digest(code));
  const organisation = invitation?.organisation_id
    ? await findAccount(database, invitation.organisation_id)
    : null;
  if (!invitation || !organisation || !isUsable(invitation, clock.nowMs())) {
    throw notInvited("code");
  }
  const maker = await findAccount(database, invitation.created_by);
  const seat = await findSeat(database, organisation.id, invitation.created_by);
  const areEnabled = maker?.status === "enabled" && organisation.status === "enabled";
  if (!areEnabled || !seat || !mayInvite(seat.role, invitation)) throw notInvited("code");
  return { invitation, organisation, maker };
}

function mayInvite(seat: SeatRole, { role }: InvitationRow): boolean {
  return role === "owner" ? seat === "owner" : leaders.includes(seat);
}

function roleOf({ role }: InvitationRow): SeatRole {
  return role ?? "member";
}

async function take(
  needs: OrganisationNeeds,
  operator: Operator,
  { invitation, organisation }: Offer,
): Promise<OwnSeatView> {
  const { id, username: name } = organisation;
  const person = existing(await findAccount(needs.database, operator.accountId));
  const before = await findSeat(needs.database, id, person.id);
  const offered = roleOf(invitation);
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
