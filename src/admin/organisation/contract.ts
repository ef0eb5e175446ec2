// Organisations as they go over the wire, and their calls.
import { labelName, model } from "../../config/fields.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { everySeat, leaders, overseers, owners, type SeatRole } from "../../identity/role.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema, moneySchema, removed, statusSchema } from "../contract/basics.ts";
import { proofBody } from "../second-factor/contract.ts";
import { rateFields, usernameField } from "../user/fields.ts";

const seats = ["owner", "admin", "member", "viewer"] as const satisfies readonly SeatRole[];
const seatSchema = Type.Unsafe<SeatRole>({
  ...word(...seats),
  description: "What the person is there.",
});
const closed = { additionalProperties: false } as const;

export const KeyRules = Type.Object(
  {
    expires_days_max: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 3650, description: "A key ends within so many days." }),
    ),
    limit_micros_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1e15,
        description: "A key has a quota of at most this.",
      }),
    ),
    models: Type.Optional(
      Type.Array(model("A model, or a pattern with *."), {
        minItems: 1,
        maxItems: 500,
        description: "A key names its models, and they are among these.",
      }),
    ),
    count_max: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 10_000, description: "A member has so many keys." }),
    ),
  },
  { ...closed, description: "Bounds of the keys that members make for themselves." },
);
export type KeyRules = Static<typeof KeyRules>;

const seatFields = {
  id: text(),
  name: text("By which it is listed among the accounts."),
  role: seatSchema,
};

export const OwnSeatView = Type.Object(seatFields);
export type OwnSeatView = Static<typeof OwnSeatView>;

export const OrganisationView = Type.Object({
  ...seatFields,
  group: text(),
  /** Micros available; null when unlimited. */
  quota_micros: Type.Optional(orNull(moneySchema)),
  key_rules: KeyRules,
  created_at: momentSchema,
});
export type OrganisationView = Static<typeof OrganisationView>;

/** Rates of all keys of a member or a project together. */
const shownRates = {
  requests_per_minute: orNull(whole("Requests a minute of all its keys; null: no limit.")),
  tokens_per_minute: orNull(whole("Tokens a minute of all its keys; null: no limit.")),
  concurrency: orNull(whole("Requests of all its keys at one time; null: no limit.")),
};

export const MemberView = Type.Object({
  id: text("Of the person's account."),
  username: text(),
  role: seatSchema,
  status: statusSchema,
  project: orNull(text("The project that its new keys are in, by name.")),
  source: text("`hand`, or `oidc:` and the provider whose groups brought it."),
  keys: whole("Keys that it made and that work."),
  keys_until: orNull(
    whole("Until when its keys work unless it signs in before, in Unix seconds; or null."),
  ),
  ...shownRates,
  joined_at: momentSchema,
});
export type MemberView = Static<typeof MemberView>;

export const ProjectView = Type.Object({
  id: text(),
  name: text(),
  status: statusSchema,
  ...shownRates,
  created_at: momentSchema,
});
export type ProjectView = Static<typeof ProjectView>;

const OrganisationInput = Type.Object(
  {
    name: usernameField,
    owner: Type.Optional(
      text("Who owns it, by user name or id; oneself unless it is said, which admins may."),
    ),
  },
  closed,
);

const OrganisationChange = Type.Object(
  { name: Type.Optional(usernameField), key_rules: Type.Optional(KeyRules) },
  closed,
);

const SeatChange = Type.Object(
  {
    role: Type.Optional(
      Type.Unsafe<Exclude<SeatRole, "owner">>({
        ...word("admin", "member", "viewer"),
        description: "An owner becomes one by taking an invitation.",
      }),
    ),
    project: Type.Optional(
      orNull(text("The project that its new keys are in unless another is said, by name or id.")),
    ),
    ...rateFields,
  },
  closed,
);

const projectName = labelName("The project's name.");
const ProjectInput = Type.Object({ name: projectName, ...rateFields }, closed);
const ProjectChange = Type.Object(
  { name: Type.Optional(projectName), status: Type.Optional(statusSchema), ...rateFields },
  closed,
);

const joinBody = bodyOf(Type.Object({ code: text("The invitation's code.") }, closed), {
  code: "inv-example",
});

export const SeatOffer = Type.Object({
  organisation: text("By its name."),
  role: Type.Unsafe<SeatRole>({ ...seatSchema, description: "What one becomes there." }),
  invited_by: text("User name of whoever made the invitation."),
});
export type SeatOffer = Static<typeof SeatOffer>;

const { call } = callsOf("Organisations");
const listOf = <Item extends typeof OwnSeatView | typeof MemberView | typeof ProjectView>(
  item: Item,
) => Type.Object({ items: Type.Array(item) });

export const organisationCalls = {
  listOwn: call("GET /api/organisation", "List the organisations that one is in", {
    answer: listOf(OwnSeatView),
  }),
  create: call("POST /api/organisation", "Create an organisation", {
    description:
      "An account that nobody signs in to and that its keys are paid from. For admins of the " +
      "gateway, or for everyone where `accounts.organisations` says so.",
    body: bodyOf(OrganisationInput, { name: "acme" }),
    answer: OwnSeatView,
  }),
  join: call("POST /api/organisation/join", "Take an invitation into an organisation", {
    body: joinBody,
    answer: OwnSeatView,
  }),
  readOffer: call(
    "POST /api/organisation/join/offer",
    "Read what an invitation into an organisation offers",
    {
      description: "Uses nothing up. A POST, so that the code stands in no address.",
      body: joinBody,
      answer: SeatOffer,
    },
  ),
  read: call("GET /api/organisation/{organisation}", "Read an organisation", {
    seats: everySeat,
    answer: OrganisationView,
  }),
  change: call("PATCH /api/organisation/{organisation}", "Rename an organisation, set its rules", {
    seats: leaders,
    description: "The rules that are sent take the place of all there were.",
    body: bodyOf(OrganisationChange, { key_rules: { expires_days_max: 90 } }),
    answer: OrganisationView,
  }),
  leave: call("POST /api/organisation/{organisation}/leave", "Leave an organisation", {
    seats: everySeat,
    description: "The keys that one has made there end. The last owner stays.",
    answer: removed,
  }),
  listMembers: call("GET /api/organisation/{organisation}/member", "List the members", {
    seats: overseers,
    answer: listOf(MemberView),
  }),
  changeMember: call(
    "PATCH /api/organisation/{organisation}/member/{id}",
    "Give a member another role, or its keys a project or rates",
    {
      seats: leaders,
      description: "The role of an owner is an owner's to change. The last owner stays.",
      body: bodyOf(SeatChange, { role: "admin" }),
      answer: MemberView,
    },
  ),
  removeMember: call("DELETE /api/organisation/{organisation}/member/{id}", "Remove a member", {
    seats: leaders,
    query: {
      keep_keys: {
        schema: Type.Boolean(),
        description: "The keys it made become the organisation's own; otherwise they end.",
        isFlag: true,
      },
    },
    answer: removed,
  }),
  listMembersOfAccount: call("GET /api/user/{id}/members", "List the members of an organisation", {
    permission: "people.read",
    description: "For those who run the gateway, who read them and change nothing of them.",
    answer: listOf(MemberView),
  }),
  listProjectsOfAccount: call("GET /api/user/{id}/projects", "List an organisation's projects", {
    permission: "people.read",
    description: "For those who run the gateway, who read them and change nothing of them.",
    answer: listOf(ProjectView),
  }),
  listProjects: call("GET /api/organisation/{organisation}/project", "List the projects", {
    seats: everySeat,
    answer: listOf(ProjectView),
  }),
  createProject: call("POST /api/organisation/{organisation}/project", "Create a project", {
    seats: leaders,
    body: bodyOf(ProjectInput, { name: "research" }),
    answer: ProjectView,
  }),
  changeProject: call("PATCH /api/organisation/{organisation}/project/{id}", "Change a project", {
    seats: leaders,
    description: "Keys of a project that is disabled are refused.",
    body: bodyOf(ProjectChange, { name: "laboratory" }),
    answer: ProjectView,
  }),
  removeProject: call("DELETE /api/organisation/{organisation}/project/{id}", "Delete a project", {
    seats: leaders,
    description: "Its keys stay, in no project.",
    answer: removed,
  }),
};
/** For owners in a browser, who prove themselves. */
export const organisationEraseCalls = {
  erase: call("POST /api/organisation/{organisation}/erase", "Delete an organisation for good", {
    seats: owners,
    carriers: ["session"],
    description:
      "Its keys end, and its lines of the ledger stay. Refused while work of it is under way. " +
      "Needs the owner's password, or a second factor.",
    body: proofBody,
    answer: removed,
  }),
};
export type OrganisationCalls = typeof organisationCalls & typeof organisationEraseCalls;
