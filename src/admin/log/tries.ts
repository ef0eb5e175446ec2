// Each attempt of a request. Of most the row itself tells: only where one did not go well were they
// put down one by one.
import type { AttemptNote, AttemptOutcome } from "../../observe/attempt-note.ts";
import type { UsageFilter } from "../../observe/listing/queries.ts";
import { fromAttemptRow, listAttempts } from "../../observe/trail/queries.ts";
import type { UsageRow } from "../../observe/usage-row.ts";
import { readLog } from "../../store/log.ts";
import type { AttemptView, LogView } from "./contract.ts";
import type { RecordNeeds } from "../record-needs.ts";

/** Facts of an attempt that only its request's row tells of. */
type Try = Omit<AttemptNote, "keyLast4" | "keyPosition" | "startedMs"> & {
  [Name in "keyLast4" | "keyPosition" | "startedMs"]: AttemptNote[Name] | null;
};

type ToView = (one: Try, index: number) => AttemptView;
type ShowTries = (row: UsageRow, toView: ToView) => Pick<LogView, "tries">;

/** Nothing, unless the rows are those of one request that was asked for. */
export async function readTries(
  { store }: Pick<RecordNeeds, "store">,
  { requestId }: UsageFilter,
  rows: readonly UsageRow[],
): Promise<ShowTries> {
  if (requestId === undefined) return () => ({});
  const triesByRow = new Map<UsageRow, Try[]>();
  for (const row of rows) {
    const kept = await readLog(store, listAttempts(row.id));
    triesByRow.set(row, kept.length > 0 ? kept.map(fromAttemptRow) : toldByRow(row));
  }
  return (row, toView) => ({ tries: (triesByRow.get(row) ?? []).map(toView) });
}

export function toAttemptView(one: Try, index: number): AttemptView {
  return {
    ...toOwnAttemptView(one, index),
    channel: one.channelName,
    channel_id: one.channelId,
    key_last4: one.keyLast4,
    key_position: one.keyPosition,
    blame: one.blame,
    status: one.status,
    code: one.code,
    words: one.words,
    vendor_request_id: one.vendorRequestId,
    model: one.model,
  };
}

/** The vendor behind it, and its words to us, are the gateway's own affair. */
export function toOwnAttemptView(one: Try, index: number): AttemptView {
  const { outcome, startedMs, endedMs } = one;
  return { number: index + 1, outcome, started_ms: startedMs, ended_ms: endedMs };
}

function toldByRow(row: UsageRow): Try[] {
  if (row.attempts === 0 || row.channel_id === null) return [];
  const outcome = outcomes[row.outcome];
  return [
    {
      channelId: row.channel_id,
      channelName: row.channel_name ?? "",
      keyLast4: null,
      keyPosition: null,
      outcome,
      blame: null,
      status: outcome === "served" ? 200 : null,
      code: row.error_code,
      words: null,
      vendorRequestId: null,
      model: row.served_model,
      startedMs: null,
      endedMs: row.latency_ms,
    },
  ];
}

/** A request that failed without a word of its attempt is one of an earlier version. */
const outcomes: Readonly<Record<UsageRow["outcome"], AttemptOutcome>> = {
  ok: "served",
  client_abort: "served",
  rejected: "refused",
  upstream_error: "failed",
  gateway_error: "failed",
};
