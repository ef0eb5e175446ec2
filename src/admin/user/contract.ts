// Accounts as they go over the wire, and their calls.
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { permissions } from "../../identity/roles/permissions.ts";
import { everySeat, leaders } from "../../identity/role.ts";
import { AccessTokenInput, AccessTokenView } from "../access-token/contract.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, moneySchema, rateFields, removed, roleSchema } from "../contract/basics.ts";
import { byGroup, byName, bySort, byStatus } from "../search.ts";
import { CreditInput, SelfChange, UserChange, UserInput } from "./fields.ts";

const kindSchema = Type.Unsafe<"person" | "organisation">({
  ...word("person", "organisation"),
  description: "Nobody signs in to an organisation.",
});

const selfFields = {
  id: text(),
  kind: kindSchema,
  username: text(),
  role: roleSchema,
  group: text(),
  /** Micros available; null when unlimited. */
  quota_micros: orNull(moneySchema),
  held_micros: moneySchema,
  used_micros: moneySchema,
  email: orNull(text("The e-mail address, once it is proven.")),
  email_pending: orNull(text("An e-mail address that waits for its proof.")),
};

const unseen = "Left out for members of an organisation.";

export const SelfView = Type.Object({
  ...selfFields,
  quota_micros: Type.Optional(Type.Union([moneySchema, Type.Null()], { description: unseen })),
  held_micros: Type.Optional(Type.Unsafe<number>({ ...moneySchema, description: unseen })),
  used_micros: Type.Optional(Type.Unsafe<number>({ ...moneySchema, description: unseen })),
  permissions: Type.Array(word(...permissions), {
    description: "What one may do beyond one's own account.",
  }),
  display_name: orNull(text("What one is called.")),
  language: orNull(text("Of the console and of letters, such as en.")),
  zone: orNull(text("The time zone, by its IANA name.")),
  low_balance_micros: orNull(
    Type.Integer({ description: "The console warns below it, and notice_url is told." }),
  ),
  notice_url: orNull(text("Is told when the balance or a key is low.")),
});
export type SelfView = Static<typeof SelfView>;

export const UserView = Type.Object({
  ...selfFields,
  status: word("enabled", "disabled", "waiting"),
  created_at: momentSchema,
  /** The last call with one of its keys, or visit in a browser; null: never, or longer ago. */
  last_used_at: orNull(momentSchema),
  members: orNull(whole("How many are in the organisation; null of a person.")),
  projects: orNull(whole("How many projects the organisation has; null of a person.")),
  ...rateFields,
});
export type UserView = Static<typeof UserView>;

export const CreditView = Type.Object({
  id: text(),
  /** Micros given, or taken. */
  micros: moneySchema,
  /** It was booked by an earlier call with the same id, and not again. */
  repeated: Type.Boolean(),
  /** Moment of its booking, be it by this call or by the earlier one. */
  booked_at: momentSchema,
  quota_micros: orNull(moneySchema),
});
export type CreditView = Static<typeof CreditView>;

const { call, list } = callsOf("Accounts");
const own = callsOf("Own account");
const password = "correct horse battery staple";

export const userCalls = {
  list: list("GET /api/user", "List accounts", {
    permission: "people.read",
    item: UserView,
    filter: {
      ...byName,
      ...byStatus,
      ...byGroup,
      role: { schema: roleSchema },
      kind: { schema: kindSchema },
      ...bySort(["username", "created_at", "quota_micros", "used_micros"]),
    },
  }),
  create: call("POST /api/user", "Create an account", {
    permission: "people.write",
    body: bodyOf(UserInput, { username: "ann", password, quota_micros: 5_000_000 }),
    answer: UserView,
  }),
  readSelf: own.call("GET /api/user/self", "Read oneself", {
    seats: everySeat,
    isForEnrolment: true,
    answer: SelfView,
  }),
  read: call("GET /api/user/{id}", "Read an account", {
    permission: "people.read",
    answer: UserView,
  }),
  change: call("PATCH /api/user/{id}", "Change an account", {
    permission: "people.write",
    body: bodyOf(UserChange, { requests_per_minute: 600 }),
    answer: UserView,
  }),
  disable: call("DELETE /api/user/{id}", "Disable an account", {
    permission: "people.write",
    answer: UserView,
  }),
  credit: call("POST /api/user/{id}/credit", "Give credit, or take back what is left", {
    permission: "money.write",
    body: bodyOf(CreditInput, { micros: 1_000_000, reason: "invoice 17" }),
    answer: CreditView,
  }),
  createToken: call("POST /api/user/{id}/token", "Create an access token for an account", {
    others: "access_tokens.make",
    body: { ...bodyOf(AccessTokenInput, { name: "script" }), isOptional: true },
    answer: AccessTokenView,
  }),
  revokeTokens: call("DELETE /api/user/{id}/token", "Revoke all access tokens of an account", {
    others: "access_tokens.make",
    answer: Type.Object({ revoked: Type.Integer() }),
  }),
  resetFactors: call(
    "DELETE /api/user/{id}/second-factor",
    "Take an account's second factors off, for someone who is locked out",
    { permission: "second_factors.reset", answer: removed },
  ),
};

export const selfCalls = {
  change: own.call("PATCH /api/user/self", "Change oneself", {
    seats: leaders,
    description: "What was booked under an old name stays as it is. Null takes a field out.",
    body: bodyOf(SelfChange, {}),
    answer: SelfView,
  }),
};
export type UserCalls = typeof userCalls;
export type SelfCalls = typeof selfCalls;
