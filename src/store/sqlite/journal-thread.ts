// The thread that owns the only write connection to the main database. Commits run one after the
// other; a commit that must survive power loss is synced, and so is whatever is 20 ms old.
import { systemClock, systemTimers } from "../../core/clock.ts";
import type { Program, ProgramRun, Row, Statement } from "../store.ts";
import { Connection } from "./connection.ts";
import { serveCalls } from "./serve-calls.ts";

export type JournalRequest =
  | {
      kind: "open";
      path: string;
      programs: Readonly<Record<string, Program>>;
      versions: readonly (readonly string[])[];
    }
  | { kind: "commit"; run?: ProgramRun; statements: readonly Statement[]; sync: boolean }
  | { kind: "close" };

const unsyncedMsMax = 20;
const touch: Statement = {
  sql: "update journal_sync set at_ms = ?",
  parameters: [],
};

let connection: Connection | null = null;
let unsyncedSinceMs: number | null = null;

function commit(request: Extract<JournalRequest, { kind: "commit" }>): Row[][] {
  if (!connection) throw new Error("the journal is not open");
  const nowMs = systemClock.monotonicMs();
  const isOverdue = unsyncedSinceMs !== null && nowMs - unsyncedSinceMs >= unsyncedMsMax;
  const sync = request.sync || isOverdue;
  const rows = connection.commit(request.run, request.statements, sync);
  if (sync) unsyncedSinceMs = null;
  else if (unsyncedSinceMs === null) startUnsynced(nowMs);
  return rows;
}

/** A quiet spell has no next commit to carry the sync, so a timer does. */
function startUnsynced(nowMs: number): void {
  unsyncedSinceMs = nowMs;
  systemTimers.after(unsyncedMsMax, () => {
    if (unsyncedSinceMs !== nowMs || !connection) return;
    unsyncedSinceMs = null;
    try {
      connection.commit(undefined, [{ ...touch, parameters: [Math.floor(nowMs)] }], true);
    } catch {
      // The commit before was written; a full disk shows at the next one, which is answered.
    }
  });
}

serveCalls<JournalRequest, Row[][]>((request) => {
  switch (request.kind) {
    case "open":
      connection = new Connection(request);
      connection.migrate(request.versions);
      return [];
    case "commit":
      return commit(request);
    case "close":
      connection?.close();
      connection = null;
      return [];
  }
});
