// The records of requests that died with the last process: as much as their holds tell of them.
import { timeOfId } from "../core/ids.ts";
import { readKeyNames } from "../identity/queries.ts";
import { toRecord } from "../observe/queries.ts";
import type { UsageRow } from "../observe/usage-row.ts";
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
function toRow(hold: HoldRow, keyName: string): UsageRow {
  return {
    id: hold.id,
    kind: "request",
    atMs: timeOfId(hold.id) ?? hold.created_at_ms,
    accountId: hold.account_id,
    keyId: hold.key_id,
    keyName,
    group: hold.group_name,
    route: "",
    model: hold.model,
    channelId: null,
    channelName: null,
    status: 500,
    outcome: "gateway_error",
    stream: false,
    inputTokens: 0,
    outputTokens: 0,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    images: 0,
    mediaMs: 0,
    estimated: false,
    micros: 0,
    latencyMs: 0,
    firstByteMs: null,
    attempts: 0,
    ip: "",
    errorCode: "interrupted",
    taskId: null,
    failedChannels: [],
    trail: [],
    converted: null,
    candidates: [],
  };
}
