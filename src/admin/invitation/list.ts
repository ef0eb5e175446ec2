// Lists invitations.
import { listInvitations } from "../../identity/access/queries.ts";
import type { Operator } from "../../identity/caller.ts";
import type { InvitationView, Listed } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import { readPrefix, readWord } from "../search.ts";
import { invitationStatuses } from "./contract.ts";
import type { InvitationNeeds } from "./create.ts";
import { toView } from "./view.ts";

/** Everyone's, used up and expired ones included. */
export async function listInvitationViews(
  { database, clock }: InvitationNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<InvitationView>> {
  const page = readPage(query);
  const status = readWord(query, "status", invitationStatuses);
  const filter = { nowMs: clock.nowMs(), ...readPrefix(query), ...(status && { status }) };
  const { items, total } = await listInvitations(database, filter, page);
  return toListed(page, items.map(toView), total);
}
