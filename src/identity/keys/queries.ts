// The keys of pages, and when keys were used, in the database.
import type { KeyId, SessionId } from "../../core/ids.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import type { Store } from "../../store/store.ts";
import type { ApiKeyRow } from "../queries.ts";

/** Columns of a key that was just made, and is nobody's page's and no member's. */
export const newKeyColumns = {
  session_id: null,
  previous_hash: null,
  previous_until_ms: null,
  used_at_ms: null,
  project_id: null,
  maker_id: null,
} as const;

/** Keys of a page's session, newest first. */
export async function readSessionKeys(
  database: Database,
  sessionId: SessionId,
): Promise<Pick<ApiKeyRow, "id" | "hash" | "expires_at_ms">[]> {
  return await database
    .selectFrom("api_key")
    .select(["id", "hash", "expires_at_ms"])
    .where("session_id", "=", sessionId)
    .where("deleted_at_ms", "is", null)
    .orderBy("created_at_ms", "desc")
    .orderBy("id", "desc")
    .execute();
}

export function revocationOf(database: Database, id: KeyId, nowMs: number) {
  return database
    .updateTable("api_key")
    .set({ status: "disabled", deleted_at_ms: nowMs })
    .where("id", "=", id);
}

export async function writeKeyUse(
  store: Store,
  database: Database,
  uses: readonly (readonly [string, number])[],
): Promise<void> {
  if (uses.length === 0) return;
  await commitTogether(
    store,
    uses.map(([id, usedAtMs]) =>
      database
        .updateTable("api_key")
        .set({ used_at_ms: usedAtMs })
        .where("id", "=", id as KeyId),
    ),
  );
}
