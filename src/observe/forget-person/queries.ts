// Takes who it was out of the rows of the usage log: the address, and the names of keys. What was
// used and what it cost stays.
import { sql } from "kysely";
import type { AccountId } from "../../core/ids.ts";
import { changeLog, place, readLog } from "../../store/log.ts";
import type { Store } from "../../store/store.ts";

/** So many rows at a time: requests are logged meanwhile. */
const rowsPerCommit = 5000;

export async function forgetPerson(
  store: Pick<Store, "readLog" | "writeLog" | "dialect">,
  accountId: AccountId,
): Promise<void> {
  const places = sql`select ${place} from usage_log
    where account_id = ${accountId} and (ip <> '' or key_name <> '') limit ${rowsPerCommit}`;
  const some = sql<{ more: number }>`select count(*) as more from (${places}) as some_rows`;
  for (;;) {
    const [left] = await readLog(store, some);
    if (!left || left.more === 0) return;
    await changeLog(store, [
      sql`update usage_log set ip = '', key_name = '' where ${place} in (${places})`,
    ]);
  }
}
