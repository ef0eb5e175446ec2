// Rights: the role of an account and its permissions, as the database has them at this moment. A
// change of a role therefore holds for the very next call, on every node.
import type { Database } from "../../store/database.ts";
import type { AccountTable } from "../../store/schema.ts";
import { builtInRoles, isBuiltIn, isPermission, type Permission } from "./permissions.ts";
import { findRole } from "./queries.ts";

export interface Rights {
  role: string;
  may: ReadonlySet<Permission>;
}

export type RoleColumns = Pick<AccountTable, "role" | "staff_role">;

export const noPermissions: ReadonlySet<Permission> = new Set();

export function roleOf({ role, staff_role }: RoleColumns): string {
  return staff_role ?? role;
}

/** Columns of an account that has the role. */
export function roleColumnsOf(name: string): RoleColumns {
  if (name === "user" || name === "admin" || name === "root") {
    return { role: name, staff_role: null };
  }
  // A node of a version before knows no role but three, and takes it for a user's.
  return { role: "user", staff_role: name };
}

export async function rightsOf(database: Database, columns: RoleColumns): Promise<Rights> {
  const role = roleOf(columns);
  return { role, may: (await permissionsOf(database, role)) ?? noPermissions };
}

/** Null of a role that is not there. */
export async function permissionsOf(
  database: Database,
  name: string,
): Promise<ReadonlySet<Permission> | null> {
  if (isBuiltIn(name)) return new Set(builtInRoles[name]);
  const row = await findRole(database, name);
  return row && new Set(readPermissions(row.permissions));
}

/** A permission that this version does not know gives nothing. */
export function readPermissions(text: string): Permission[] {
  const names: string[] = JSON.parse(text);
  return names.filter(isPermission);
}

/** Whether one may do all that the other may, and more; root stands above everybody. */
export function isAbove(one: Rights, other: Rights): boolean {
  if (one.role === "root") return true;
  return one.may.size > other.may.size && areAmong(other.may, one.may);
}

export function areAmong(some: Iterable<Permission>, all: ReadonlySet<Permission>): boolean {
  return [...some].every((permission) => all.has(permission));
}
