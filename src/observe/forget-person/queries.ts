// Takes who it was out of the usage log: addresses, names of keys, labels and their sums, and the
// messages of refusals, which name budgets. What was used and what it cost stays.
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
    where account_id = ${accountId} and (ip <> '' or key_name <> '' or label is not null
      or error_message is not null or error_detail is not null)
    limit ${rowsPerCommit}`;
  const some = sql<{ more: number }>`select count(*) as more from (${places}) as some_rows`;
  for (;;) {
    const [left] = await readLog(store, some);
    if (!left || left.more === 0) break;
    await changeLog(store, [
      sql`update usage_log set ip = '', key_name = '', label = null, error_message = null,
        error_detail = null where ${place} in (${places})`,
    ]);
  }
  await changeLog(store, [sql`delete from usage_label_day where account_id = ${accountId}`]);
}
