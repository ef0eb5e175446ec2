// What is done with invitations, and what the reference says of it.
import { listOf, pages, removed } from "../contract/basics.ts";
import { verb } from "../verb.ts";
import { CreatedInvitation, InvitationView } from "./contract.ts";
import { createInvitation, invitationChecker } from "./create.ts";
import { listInvitationViews } from "./list.ts";
import { removeInvitation } from "./remove.ts";

const tag = "Accounts";

export const invitations = {
  list: verb({
    tag,
    summary: "List invitations",
    takes: "query",
    query: pages,
    answer: listOf(InvitationView),
    run: listInvitationViews,
  }),
  create: verb({
    tag,
    summary: "Create an invitation",
    takes: "optionalBody",
    body: { schema: invitationChecker.schema, example: { note: "for Ann" }, isOptional: true },
    answer: CreatedInvitation,
    run: createInvitation,
  }),
  remove: verb({
    tag,
    summary: "Delete an invitation",
    takes: "id",
    answer: removed,
    run: removeInvitation,
  }),
};
