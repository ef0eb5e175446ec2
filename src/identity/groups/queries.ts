// Groups in the database.
import type { Database } from "../../store/database.ts";
import type { GroupTable } from "../../store/schema.ts";

export type GroupRow = GroupTable;

export async function readGroups(database: Database): Promise<GroupRow[]> {
  return await database.selectFrom("account_group").selectAll().orderBy("name").execute();
}

export async function writeGroup(database: Database, row: GroupRow): Promise<void> {
  await writeOfGroup(database, row).execute();
}

export function writeOfGroup(database: Database, row: GroupRow) {
  const { name: _name, ...changes } = row;
  return database
    .insertInto("account_group")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(changes));
}

export async function deleteGroup(database: Database, name: string): Promise<void> {
  await database.deleteFrom("account_group").where("name", "=", name).execute();
}

/** Accounts and keys that would be locked out without the group. */
export async function countGroupUses(database: Database, name: string): Promise<number> {
  const accounts = await database
    .selectFrom("account")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("group_name", "=", name)
    .executeTakeFirst();
  const keys = await database
    .selectFrom("api_key")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("group_name", "=", name)
    .where("deleted_at_ms", "is", null)
    .executeTakeFirst();
  return (accounts?.total ?? 0) + (keys?.total ?? 0);
}
