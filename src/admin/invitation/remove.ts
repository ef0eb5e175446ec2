import { GatewayError } from "../../core/errors.ts";
import { deleteInvitation } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import { readInvitationId } from "../input.ts";
import type { ControlParts } from "../parts.ts";

/** The code works no more; accounts made with it stay. */
export async function removeInvitation(
  { database }: ControlParts,
  _operator: Operator,
  { id }: { id: string },
): Promise<{ id: string }> {
  const invitationId = readInvitationId(id);
  if (!(await deleteInvitation(database, invitationId))) throw new GatewayError("not_found");
  return { id: invitationId };
}
