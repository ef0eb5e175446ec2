// The last that was heard of accounts: a call with one of their keys, or a visit in a browser.
import type { AccountId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";

/** Moments in milliseconds, of those that were heard of. Keys tell of theirs a moment later. */
export async function readLastUses(
  database: Database,
  ids: readonly AccountId[],
): Promise<Map<AccountId, number>> {
  if (ids.length === 0) return new Map();
  const called = await database
    .selectFrom("api_key")
    .where("account_id", "in", ids)
    .where("used_at_ms", "is not", null)
    .groupBy("account_id")
    .select(({ fn }) => ["account_id", fn.max<number>("used_at_ms").as("last")])
    .execute();
  const visited = await database
    .selectFrom("session")
    .where("account_id", "in", ids)
    .groupBy("account_id")
    .select(({ fn }) => ["account_id", fn.max<number>("seen_at_ms").as("last")])
    .execute();
  const lasts = new Map<AccountId, number>();
  for (const { account_id: id, last } of [...called, ...visited])
    lasts.set(id, Math.max(lasts.get(id) ?? 0, Number(last)));
  return lasts;
}
