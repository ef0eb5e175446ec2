// Invitations: each call with its function.
import { bind } from "../bind.ts";
import { invitationCalls } from "./contract.ts";
import { createInvitation } from "./create.ts";
import { listInvitationViews } from "./list.ts";
import { removeInvitation } from "./remove.ts";

export const invitationVerbs = bind(invitationCalls, {
  list: listInvitationViews,
  create: createInvitation,
  remove: removeInvitation,
});
