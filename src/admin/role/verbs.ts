// Roles: each call with its function.
import { bind } from "../bind.ts";
import { roleCalls } from "./contract.ts";
import { listRoles } from "./list.ts";
import { changeRole, createRole, removeRole } from "./write.ts";

export const roleVerbs = bind(roleCalls, {
  list: listRoles,
  create: createRole,
  change: changeRole,
  remove: removeRole,
});
