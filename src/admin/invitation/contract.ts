// Invitations as they go over the wire.
import { orNull, text, whole } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { momentSchema } from "../contract/basics.ts";

export const invitationStatuses = ["open", "expired", "used"] as const;

const invitationFields = {
  id: text(),
  note: text(),
  uses: whole(),
  uses_max: whole(),
  expires_at: orNull(momentSchema),
  created_at: momentSchema,
};

export const InvitationView = Type.Object(invitationFields);
export type InvitationView = Static<typeof InvitationView>;

export const CreatedInvitation = Type.Object({
  ...invitationFields,
  code: text("The full text, shown this once."),
});
export type CreatedInvitation = Static<typeof CreatedInvitation>;
