// Lists invitations.
import { listInvitations } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { pageOf, toListed } from "../page.ts";
import type { InvitationCalls, InvitationView } from "./contract.ts";
import { scopeOf, type InvitationNeeds } from "./create.ts";
import { toView } from "./view.ts";

/** All of the gateway or of the organisation, used up and expired ones included. */
export async function listInvitationViews(
  { database, clock }: InvitationNeeds,
  operator: Operator,
  { query }: InputOf<InvitationCalls["list"]>,
): Promise<Listed<InvitationView>> {
  const { q: prefix, status } = query;
  const page = pageOf(query);
  const filter = {
    organisationId: scopeOf(operator),
    nowMs: clock.nowMs(),
    ...(prefix && { prefix }),
    ...(status && { status }),
  };
  const { items, total } = await listInvitations(database, filter, page);
  return toListed(page, items.map(toView), total);
}
