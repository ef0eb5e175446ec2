// Roles as the console asks for them: their names, and whether one stands above an account.
import type { RoleView } from "../../../src/admin/contract.ts";
import { useEvery } from "./every.ts";
import { may, self } from "../session.ts";

export function useRoles(): readonly RoleView[] {
  const path = may("people.read") ? "GET /api/role" : null;
  return useEvery(path).rows;
}

/** The gateway's own rule: all that the other may do, and more. Root stands above everybody. */
export function isAbove(roles: readonly RoleView[], role: string): boolean {
  if (self.value?.role === "root") return true;
  const known = roles.find(({ name }) => name === role)?.permissions;
  const other = role === "user" ? [] : known;
  const own = self.value?.permissions.length ?? 0;
  return other !== undefined && other.length < own && other.every((one) => may(one));
}
