// Roles made of permissions, in the database.
import type { Database } from "../../store/database.ts";
import type { RoleTable } from "../../store/people/role-schema.ts";

export type RoleRow = RoleTable;

export async function readRoleRows(database: Database): Promise<RoleRow[]> {
  return await database.selectFrom("role").selectAll().orderBy("name").execute();
}

export async function findRole(database: Database, name: string): Promise<RoleRow | null> {
  const row = await database
    .selectFrom("role")
    .selectAll()
    .where("name", "=", name)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertRole(database: Database, row: RoleRow): Promise<void> {
  await database.insertInto("role").values(row).execute();
}

export async function updateRole(
  database: Database,
  name: string,
  changes: Partial<Omit<RoleRow, "name">>,
): Promise<void> {
  await database.updateTable("role").set(changes).where("name", "=", name).execute();
}

export async function deleteRole(database: Database, name: string): Promise<void> {
  await database.deleteFrom("role").where("name", "=", name).execute();
}

/** Accounts by their role, without those that were deleted for good. */
export async function countHolders(database: Database): Promise<Map<string, number>> {
  const rows = await database
    .selectFrom("account")
    .select(["role", "staff_role"])
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("deleted_at_ms", "is", null)
    .where("kind", "=", "person")
    .groupBy(["role", "staff_role"])
    .execute();
  return new Map(rows.map(({ role, staff_role, total }) => [staff_role ?? role, Number(total)]));
}
