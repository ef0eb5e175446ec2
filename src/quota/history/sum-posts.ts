// Charges of the ledger, by account, key and the day that the log counts them on.
import { dayOf } from "../../core/day.ts";
import { timeOfId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import { listPosts } from "../queries.ts";

/** Micros by account, key and day, under a name of all three. */
export type DaySums = Map<string, number>;

const rowsAtOnce = 20_000;

export async function sumPosts(
  database: Database,
  nameOf: (accountId: string, keyId: string, day: number) => string,
): Promise<DaySums> {
  const sums: DaySums = new Map();
  let afterId = "";
  for (;;) {
    const rows = await listPosts(database, afterId, rowsAtOnce);
    for (const { id, account_id, key_id, micros, at_ms } of rows) {
      afterId = id;
      const name = nameOf(account_id, String(key_id), dayOf(momentOf(id, at_ms)));
      sums.set(name, (sums.get(name) ?? 0) + micros);
    }
    if (rows.length < rowsAtOnce) return sums;
  }
}

/** A request counts on the day it came in, which its id tells; a task on the day it ended. */
function momentOf(id: string, atMs: number): number {
  return (id.startsWith("task_") ? null : timeOfId(id)) ?? atMs;
}
