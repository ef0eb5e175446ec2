// Opens a data folder: takes its lock, starts the two threads and wires them into a Store.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../migrations/index.ts";
import type { Program, Row, Store } from "../store.ts";
import type { ArchiveRequest, LogOptions } from "./archive-thread.ts";
import { sqliteDialect } from "./dialect.ts";
import type { JournalRequest } from "./journal-thread.ts";
import { lockFolder } from "./lock.ts";
import { Thread } from "./thread.ts";

export interface SqliteOptions {
  folder: string;
  programs: Readonly<Record<string, Program>>;
  log: Omit<LogOptions, "path">;
}

export const mainFile = "sluice.db";
export const logFile = "log.db";
export const journalFile = "journal.log";

export function mainVersions(): string[][] {
  return migrations.map((migration) => migration(sqliteDialect));
}

export async function openSqlite({ folder, programs, log }: SqliteOptions): Promise<Store> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  const journal = new Thread<JournalRequest, Row[][]>(
    new Worker(new URL("./journal-thread.ts", import.meta.url)),
  );
  const archive = new Thread<ArchiveRequest, Row[]>(
    new Worker(new URL("./archive-thread.ts", import.meta.url)),
  );
  const mainPath = join(folder, mainFile);
  await journal.call({
    kind: "open",
    options: {
      databasePath: mainPath,
      journalPath: join(folder, journalFile),
      programs,
      versions: mainVersions(),
    },
  });
  await archive.call({ kind: "open", mainPath, log: { ...log, path: join(folder, logFile) } });
  return {
    read: (statement) => archive.call({ kind: "read", statement }),
    append: async (run, gate) => {
      await journal.call({ kind: "append", run, sync: gate === "synced" });
    },
    commit: ({ run, statements = [] }) =>
      journal.call({ kind: "commit", ...(run && { run }), statements }),
    applied: async () => {
      await journal.call({ kind: "apply" });
    },
    readLog: (statement) => archive.call({ kind: "read-log", statement }),
    writeLog: async (run) => {
      await archive.call({ kind: "write-log", run });
    },
    async close() {
      await journal.call({ kind: "close" });
      await archive.call({ kind: "close" });
      journal.terminate();
      archive.terminate();
      lock.release();
    },
  };
}
