// Opens a data folder: takes its lock, starts the two threads and wires them into a Store.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemTimers } from "../../core/clock.ts";
import { migrations } from "../migrations/index.ts";
import type { Program, Row, Store } from "../store.ts";
import type { ArchiveRequest, LogOptions } from "./archive-thread.ts";
import { sqliteDialect } from "./dialect.ts";
import { Journal } from "./journal.ts";
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

export function mainVersions(): string[][] {
  return migrations.map((migration) => migration(sqliteDialect));
}

export async function openSqlite({ folder, programs, log }: SqliteOptions): Promise<Store> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  const writer = new Thread<JournalRequest, Row[][]>(
    new Worker(new URL("./journal-thread.ts", import.meta.url), { smol: true }),
  );
  const archive = new Thread<ArchiveRequest, Row[]>(
    new Worker(new URL("./archive-thread.ts", import.meta.url), { smol: true }),
  );
  const mainPath = join(folder, mainFile);
  const [state] = await writer.call({
    kind: "open",
    path: mainPath,
    programs,
    versions: mainVersions(),
  });
  const journal = await Journal.open({
    folder,
    database: { commit: (runs, statements) => writer.call({ kind: "commit", runs, statements }) },
    appliedSequence: Number(state?.[0]?.["sequence"] ?? 0),
    timers: systemTimers,
  });
  await archive.call({ kind: "open", mainPath, log: { ...log, path: join(folder, logFile) } });
  return {
    read: (statement) => archive.call({ kind: "read", statement }),
    append: (run, gate) => journal.append(run, gate === "synced"),
    commit: ({ run, statements = [] }) => journal.commit(statements, run),
    applied: () => journal.apply(),
    readLog: (statement) => archive.call({ kind: "read-log", statement }),
    writeLog: async (run) => {
      await archive.call({ kind: "write-log", run });
    },
    async close() {
      await journal.close();
      await writer.call({ kind: "close" });
      await archive.call({ kind: "close" });
      writer.terminate();
      archive.terminate();
      lock.release();
    },
  };
}
