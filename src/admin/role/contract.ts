// Roles as they go over the wire, and their calls.
import { isRoleName } from "../../config/fields.ts";
import { orNull, text, whole, word } from "../../core/schema-words.ts";
import { Type, type Static } from "../../core/schema.ts";
import { permissions } from "../../identity/roles/permissions.ts";
import { bodyOf, callsOf } from "../call.ts";
import { momentSchema } from "../contract/basics.ts";
import { patchOf } from "../patch.ts";
import { byName } from "../search.ts";

export type { Permission } from "../../identity/roles/permissions.ts";

const permissionList = Type.Array(word(...permissions), {
  minItems: 1,
  uniqueItems: true,
  description: "What its people may do beyond their own account.",
});

const granted = Type.Array(word(...permissions), {
  description: "What its people may do beyond their own account.",
});

export const RoleView = Type.Object({
  name: text(),
  description: text("What it is for."),
  permissions: granted,
  built_in: Type.Boolean({ description: "Always there, and not to be changed." }),
  people: whole("How many accounts have it."),
  gives: Type.Boolean({ description: "Whether you may give it." }),
  created_at: orNull(momentSchema),
});
export type RoleView = Static<typeof RoleView>;

const name = Type.Refine(
  Type.String({ description: "Unique name, which accounts have it by." }),
  isRoleName,
  () => "must be 1 to 32 small letters, digits or - that begin with a letter",
);
const fields = {
  description: Type.Optional(Type.String({ maxLength: 200, description: "What it is for." })),
  permissions: permissionList,
};
const RoleInput = Type.Object({ name, ...fields }, { additionalProperties: false });

const { call, list } = callsOf("Roles");
const removed = Type.Object({ name: text() });
const example = { permissions: ["people.read", "keys.read"] };

export const roleCalls = {
  list: list("GET /api/role", "List roles", {
    permission: "people.read",
    item: RoleView,
    filter: byName,
  }),
  create: call("POST /api/role", "Create a role", {
    permission: "roles.write",
    description: "Of permissions that you have yourself.",
    body: bodyOf(RoleInput, { name: "front-desk", ...example }),
    answer: RoleView,
  }),
  change: call("PATCH /api/role/{id}", "Change a role", {
    permission: "roles.write",
    description: "It holds for everybody who has it from their next call on.",
    body: patchOf(fields, { example }),
    answer: RoleView,
  }),
  remove: call("DELETE /api/role/{id}", "Delete a role that nobody has", {
    permission: "roles.write",
    answer: removed,
  }),
};
export type RoleCalls = typeof roleCalls;
