// The SQL of the attempts of requests, which are written with the request's row and go with it.
import { sql } from "kysely";
import type { AttemptLogTable } from "../../store/log-schema.ts";
import type { LogQuery } from "../../store/log.ts";
import { TableStep, type ListedRow } from "../../store/step.ts";
import type { AttemptNote, AttemptOutcome } from "../attempt-note.ts";
import { toWhole } from "../rollup/rollup.ts";
import type { UsageRecord } from "../usage-row.ts";

export const attemptStep = new TableStep({
  list: "attempts",
  table: "attempt_log",
  cells: (row) => [
    row.id,
    row.at_ms,
    row.number,
    row.channel_id,
    row.channel_name,
    row.key_last4,
    row.key_position,
    row.outcome,
    row.blame,
    row.status,
    row.code,
    row.words,
    row.started_ms,
    row.ended_ms,
    row.vendor_request_id,
    row.model,
  ],
  action: { kind: "insert" },
});

/** A request that was sent here and there in an outage must not fill the log with its story. */
const attemptsMax = 8;
const wordsCharactersMax = 1000;

export function toTrail({ id, at_ms, trail }: UsageRecord): ListedRow[] {
  let charactersLeft = wordsCharactersMax;
  return trail.slice(-attemptsMax).map((note, index) => {
    const words = note.words?.slice(0, charactersLeft) ?? null;
    charactersLeft -= words?.length ?? 0;
    return attemptStep.listed({
      id,
      at_ms: toWhole(at_ms),
      number: index + 1,
      channel_id: note.channelId,
      channel_name: note.channelName,
      key_last4: note.keyLast4,
      key_position: toWhole(note.keyPosition),
      outcome: note.outcome,
      blame: note.blame,
      status: note.status === null ? null : toWhole(note.status),
      code: note.code,
      words,
      started_ms: toWhole(note.startedMs),
      ended_ms: toWhole(note.endedMs),
      vendor_request_id: note.vendorRequestId,
      model: note.model,
    });
  });
}

/** Attempts of the request or task with the id, in their order. */
export function listAttempts(id: string): LogQuery<AttemptLogTable> {
  return sql`select * from attempt_log where id = ${id} order by number`;
}

export function fromAttemptRow(row: AttemptLogTable): AttemptNote {
  return {
    channelId: row.channel_id,
    channelName: row.channel_name,
    keyLast4: row.key_last4,
    keyPosition: row.key_position,
    outcome: row.outcome as AttemptOutcome,
    blame: row.blame,
    status: row.status,
    code: row.code,
    words: row.words,
    startedMs: row.started_ms,
    endedMs: row.ended_ms,
    vendorRequestId: row.vendor_request_id,
    model: row.model,
  };
}

const attemptsForgottenAtOnce = 10_000;

/** Forgets a few attempts of rows that are older, as the rows themselves are forgotten. */
export function forgetAttempts(beforeMs: number): LogQuery<unknown> {
  return sql`delete from attempt_log where at_ms < ${beforeMs} and at_ms <= coalesce((
    select at_ms from attempt_log where at_ms < ${beforeMs} order by at_ms
    limit 1 offset ${attemptsForgottenAtOnce - 1}), ${beforeMs})`;
}
