// The records of requests that died with the last process: as much as their holds tell of them.
import { timeOfId } from "../core/ids.ts";
import { readKeyNames } from "../identity/queries.ts";
import { toRecord } from "../observe/queries.ts";
import { toUsageRecord, type UsageRecord } from "../observe/usage-row.ts";
import type { RecoverNeeds } from "../quota/recover.ts";
import type { HoldRow } from "../quota/rows.ts";
import type { Control } from "./control.ts";

export function createRecovery({
  store,
  database,
}: Pick<Control, "store" | "database">): RecoverNeeds {
  return {
    store,
    database,
    async toRecords(holds) {
      const keyIds = [...new Set(holds.map(({ key_id }) => key_id))];
      const names = await readKeyNames(database, keyIds);
      return holds.flatMap((hold) => toRecord(toRow(hold, names.get(hold.key_id) ?? "")));
    },
  };
}

/** Nobody knows how far it had come, nor whether its client has seen anything. */
function toRow(hold: HoldRow, key_name: string): UsageRecord {
  const { id, account_id, key_id, group_name, model } = hold;
  return toUsageRecord({
    id,
    account_id,
    key_id,
    key_name,
    group_name,
    model,
    at_ms: timeOfId(id) ?? hold.created_at_ms,
    status: 500,
    outcome: "gateway_error",
    error_code: "interrupted",
  });
}
