// Access tokens as they go over the wire, and the calls about one's own.
import { labelName, momentField } from "../../config/fields.ts";
import { orNull, text } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { everySeat } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, removed } from "../contract/basics.ts";

const tokenFields = {
  id: text(),
  name: text(),
  expires_at: orNull(momentSchema),
  /** It reads and changes nothing. */
  read_only: Type.Boolean(),
  organisation_id: orNull(text("The organisation that it acts in alone; null: as its account.")),
};

export const AccessTokenView = Type.Object({
  ...tokenFields,
  token: text("The full text, shown this once."),
});
export type AccessTokenView = Static<typeof AccessTokenView>;

/** A token as it is listed: its text was shown once. */
export const ListedAccessToken = Type.Object({ ...tokenFields, created_at: momentSchema });
export type ListedAccessToken = Static<typeof ListedAccessToken>;

export const AccessTokenInput = Type.Object(
  {
    name: Type.Optional(labelName("What it is for.")),
    expires_at: Type.Optional(momentField("When it stops working.")),
    read_only: Type.Optional(
      Type.Boolean({ description: "It reads and changes nothing; false unless it is said." }),
    ),
  },
  { additionalProperties: false },
);

const { call, list } = callsOf("Own account");

export const accessTokenCalls = {
  list: list("GET /api/access-token", "List access tokens", {
    seats: everySeat,
    item: ListedAccessToken,
    filter: {},
  }),
  create: call("POST /api/access-token", "Create an access token, for scripts", {
    seats: everySeat,
    body: { ...bodyOf(AccessTokenInput, { name: "backup" }), isOptional: true },
    answer: AccessTokenView,
  }),
  revoke: call("DELETE /api/access-token/{id}", "Revoke an access token", {
    seats: everySeat,
    answer: removed,
  }),
};
export type AccessTokenCalls = typeof accessTokenCalls;
