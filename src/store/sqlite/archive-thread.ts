// The thread for everything that may be slow: the usage log's database, reads of the main one for
// the control plane, and checkpoints, which no request ever waits for.
import { systemTimers } from "../../core/clock.ts";
import type { Program } from "../step.ts";
import type { LogCommit, Row, Statement } from "../store.ts";
import { statSync } from "node:fs";
import { SqliteConnection } from "./connection.ts";
import { serveCalls } from "./serve-calls.ts";

export type ArchiveRequest =
  | { kind: "open"; mainPath: string; log: LogDatabaseNeeds }
  | { kind: "read" | "read-log"; statement: Statement }
  | { kind: "write-log"; commit: LogCommit }
  | { kind: "close" };

export interface LogDatabaseNeeds {
  path: string;
  programs: Readonly<Record<string, Program>>;
  versions: readonly (readonly string[])[];
}

const checkpointPeriodMs = 500;
const walBytesMax = 64 * 1024 * 1024;

interface Connections {
  main: SqliteConnection;
  log: SqliteConnection;
  checkpointer: SqliteConnection;
}

let open: Connections | null = null;
let mainPath = "";

function checkpoint(): void {
  if (!open) return;
  try {
    open.checkpointer.checkpoint(walBytes() > walBytesMax ? "truncate" : "passive");
    open.log.checkpoint("passive");
  } catch {
    // Busy or full: the next tick tries again, and the log only grows meanwhile.
  }
}

function walBytes(): number {
  return statSync(`${mainPath}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function opened(): Connections {
  if (!open) throw new Error("the archive is not open");
  return open;
}

systemTimers.every(checkpointPeriodMs, checkpoint);

serveCalls<ArchiveRequest, Row[]>(async (request) => {
  switch (request.kind) {
    case "open": {
      const log = new SqliteConnection(request.log);
      log.migrate(request.log.versions);
      mainPath = request.mainPath;
      open = {
        main: new SqliteConnection({ path: request.mainPath, readOnly: true }),
        log,
        checkpointer: new SqliteConnection({ path: request.mainPath }),
      };
      return [];
    }
    case "read":
      return opened().main.all(request.statement);
    case "read-log":
      return opened().log.all(request.statement);
    case "write-log": {
      const { runs = [], statements = [] } = request.commit;
      opened().log.commit(runs, statements, false);
      return [];
    }
    case "close":
      checkpoint();
      for (const connection of Object.values(opened())) connection.close();
      open = null;
      return [];
  }
});
