// Deletes an invitation.
import { deleteInvitation } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { noting } from "../audit/entry.ts";
import { orNotFound, readInvitationId } from "../input.ts";
import { scopeOf, type InvitationNeeds } from "./create.ts";

/** The code works no more; accounts made with it stay. */
export async function removeInvitation(
  needs: InvitationNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const invitationId = readInvitationId(id);
  const note = { action: "invitation.remove", target: invitationId } as const;
  const { store, database } = noting(needs, operator, note);
  await orNotFound(
    deleteInvitation(store, database, { id: invitationId, organisationId: scopeOf(operator) }),
  );
  return { id: invitationId };
}
