// The SQL of a move that is about rows and not about tables.
import type { Database } from "../../store/database.ts";

/** Something that only the secret of the gateway opens. */
export async function findSealed(database: Database) {
  return await database
    .selectFrom("channel_key")
    .select(["channel_id", "sealed"])
    .limit(1)
    .executeTakeFirst();
}
