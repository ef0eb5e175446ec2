// Invitations as they go over the wire, and their calls.
import { momentField } from "../../config/fields.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { leaders, type SeatRole } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, removed } from "../contract/basics.ts";
import { emailField } from "../user/fields.ts";
import { byPrefix } from "../search.ts";

const invitationFields = {
  id: text(),
  note: text(),
  uses: whole(),
  uses_max: whole(),
  expires_at: orNull(momentSchema),
  created_at: momentSchema,
  role: orNull(text("What one becomes of the organisation that it leads into; otherwise null.")),
  account_role: orNull(text("The role of accounts that are made by it; null: that of a user.")),
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
    role: Type.Optional(
      Type.Unsafe<SeatRole>({
        ...word("owner", "admin", "member", "viewer"),
        description: "In an organisation's scope: what one becomes there; member unless said.",
      }),
    ),
    account_role: Type.Optional(
      Type.String({ description: "The role of accounts that are made by it. Default: user." }),
    ),
    email: Type.Optional(emailField),
  },
  { additionalProperties: false },
);

const { call, list } = callsOf("Accounts");

export const invitationCalls = {
  list: list("GET /api/invitation", "List invitations", {
    permission: "people.read",
    seats: leaders,
    item: InvitationView,
    filter: {
      ...byPrefix("How the note begins, in any capitals."),
      status: { schema: word("open", "expired", "used") },
    },
  }),
  create: call("POST /api/invitation", "Create an invitation", {
    permission: "people.write",
    seats: leaders,
    body: { ...bodyOf(InvitationInput, { note: "for Ann" }), isOptional: true },
    answer: CreatedInvitation,
  }),
  remove: call("DELETE /api/invitation/{id}", "Delete an invitation", {
    permission: "people.write",
    seats: leaders,
    answer: removed,
  }),
};
export type InvitationCalls = typeof invitationCalls;
