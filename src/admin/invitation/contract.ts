// Invitations as they go over the wire, and their calls.
import { momentField } from "../../config/fields.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, removed } from "../contract/basics.ts";
import { byPrefix } from "../search.ts";

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

const InvitationInput = Type.Object(
  {
    note: Type.Optional(Type.String({ maxLength: 200 })),
    uses_max: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    expires_at: Type.Optional(momentField("When the code stops working.")),
  },
  { additionalProperties: false },
);

const { call, list } = callsOf("Accounts");

export const invitationCalls = {
  list: list("GET /api/invitation", "List invitations", {
    role: "admin",
    item: InvitationView,
    filter: {
      ...byPrefix("How the note begins, in any capitals."),
      status: { schema: word("open", "expired", "used") },
    },
  }),
  create: call("POST /api/invitation", "Create an invitation", {
    role: "admin",
    body: { ...bodyOf(InvitationInput, { note: "for Ann" }), isOptional: true },
    answer: CreatedInvitation,
  }),
  remove: call("DELETE /api/invitation/{id}", "Delete an invitation", {
    role: "admin",
    answer: removed,
  }),
};
export type InvitationCalls = typeof invitationCalls;
