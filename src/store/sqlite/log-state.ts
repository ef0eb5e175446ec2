// The distance of a log in a file of its own behind the journal.
import type { Statement, Store } from "../store.ts";

interface LogState {
  sequence: number;
  /** Since when it has all that is charged; 0 where that is for ever. */
  sinceMs: number;
}

/** No row of a log of a version that had no numbers yet. */
const findNumbering: Statement = {
  sql: "select name from sqlite_master where name = 'journal_state'",
  parameters: [],
};
const findState: Statement = {
  sql: "select sequence, since_ms from journal_state",
  parameters: [],
};

/** Null of a log whose version did not have what is charged from the journal. */
export async function readLogState(read: Store["readLog"]): Promise<LogState | null> {
  if ((await read(findNumbering)).length === 0) return null;
  const [state] = await read(findState);
  return { sequence: Number(state?.["sequence"] ?? 0), sinceMs: Number(state?.["since_ms"] ?? 0) };
}
