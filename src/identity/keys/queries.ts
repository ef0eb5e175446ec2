// Keys as they are looked up by their texts, the keys of pages, and when keys were used, in the
// database.
import type { AccountId, KeyId, SessionId } from "../../core/ids.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import type { LedgerKeyTable } from "../../store/schema.ts";
import type { Store } from "../../store/store.ts";
import type { SeatRole } from "../role.ts";
import { findAccount, type AccountRow, type ApiKeyRow } from "../queries.ts";

export type LimitedKey = ApiKeyRow & Pick<LedgerKeyTable, "limit_micros"> & MakerFacts;

/** The person that made it as a member of its organisation; null where nobody did. */
interface MakerFacts {
  maker_status: AccountRow["status"] | null;
  /** Id of the person while its seat is one that may have keys. */
  seat: AccountId | null;
  seat_role: SeatRole | null;
  keys_until_ms: number | null;
  /** Status of its project. */
  project_status: AccountRow["status"] | null;
  /** Rates of all keys of its maker there, and of its project. */
  member_requests: number | null;
  member_tokens: number | null;
  member_concurrency: number | null;
  project_requests: number | null;
  project_tokens: number | null;
  project_concurrency: number | null;
}

export interface FoundKey {
  key: LimitedKey;
  account: AccountRow;
}

/** A key by its text, or by the one that it had before. */
export async function findKeyByHash(database: Database, hash: string): Promise<FoundKey | null> {
  const key = await database
    .selectFrom("api_key")
    .innerJoin("ledger_key", "ledger_key.key_id", "api_key.id")
    .leftJoin("account as maker", "maker.id", "api_key.maker_id")
    .leftJoin("member", (join) =>
      join
        .onRef("member.organisation_id", "=", "api_key.account_id")
        .onRef("member.person_id", "=", "api_key.maker_id")
        .on("member.role", "!=", "viewer"),
    )
    .leftJoin("project", "project.id", "api_key.project_id")
    .selectAll("api_key")
    .select(["limit_micros", "maker.status as maker_status"])
    .select(["member.person_id as seat", "member.role as seat_role", "member.keys_until_ms"])
    .select("project.status as project_status")
    .select([
      "member.requests_per_minute as member_requests",
      "member.tokens_per_minute as member_tokens",
      "member.concurrency as member_concurrency",
      "project.requests_per_minute as project_requests",
      "project.tokens_per_minute as project_tokens",
      "project.concurrency as project_concurrency",
    ])
    .where((row) => row.or([row("hash", "=", hash), row("previous_hash", "=", hash)]))
    .executeTakeFirst();
  if (!key) return null;
  const account = await findAccount(database, key.account_id);
  return account ? { key, account } : null;
}

/** Columns of a key that was just made, and is nobody's page's and no member's. */
export const newKeyColumns = {
  session_id: null,
  previous_hash: null,
  previous_until_ms: null,
  used_at_ms: null,
  project_id: null,
  maker_id: null,
  disabled_by: null,
} as const;

/** Columns of a key whose account is erased: names and addresses are a person's. */
export const erasedKeyColumns = {
  name: "deleted",
  shown: "",
  allow_ips: null,
  status: "disabled",
  declared: 0,
} as const satisfies Partial<ApiKeyRow>;

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
