// The thread for everything that may be slow: reads of both databases for the control plane, and
// checkpoints, which no request ever waits for.
import { systemTimers } from "../../core/clock.ts";
import type { Row, Statement } from "../store.ts";
import { statSync } from "node:fs";
import { SqliteConnection } from "./connection.ts";
import { serveCalls } from "./serve-calls.ts";

export type ArchiveRequest =
  | { kind: "open"; mainPath: string; logPath: string }
  | { kind: "read" | "read-log"; statement: Statement }
  | { kind: "close" };

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
      mainPath = request.mainPath;
      open = {
        main: new SqliteConnection({ path: request.mainPath, readOnly: true }),
        log: new SqliteConnection({ path: request.logPath }),
        checkpointer: new SqliteConnection({ path: request.mainPath }),
      };
      return [];
    }
    case "read":
      return opened().main.all(request.statement);
    case "read-log":
      return opened().log.all(request.statement);
    case "close":
      checkpoint();
      for (const connection of Object.values(opened())) connection.close();
      open = null;
      return [];
  }
});
