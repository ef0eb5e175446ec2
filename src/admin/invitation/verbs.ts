// What is done with invitations, and what the reference says of it.
import { text, word } from "../../core/schema-words.ts";
import { removed } from "../contract/basics.ts";
import { verbsOf } from "../verb.ts";
import { CreatedInvitation, invitationStatuses, InvitationView } from "./contract.ts";
import { createInvitation, invitationChecker } from "./create.ts";
import { listInvitationViews } from "./list.ts";
import { removeInvitation } from "./remove.ts";

const { list, verb } = verbsOf("Accounts");

export const invitationVerbs = {
  list: list("List invitations", InvitationView, listInvitationViews, {
    q: { schema: text(), description: "How the note begins, in any capitals." },
    status: { schema: word(...invitationStatuses) },
  }),
  create: verb("Create an invitation", "optionalBody", createInvitation, {
    body: { schema: invitationChecker.schema, example: { note: "for Ann" }, isOptional: true },
    answer: CreatedInvitation,
  }),
  remove: verb("Delete an invitation", "id", removeInvitation, { answer: removed }),
};
