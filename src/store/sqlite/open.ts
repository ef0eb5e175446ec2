// Opens a data folder: takes its lock, starts the two threads and wires them into a Store.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemTimers } from "../../core/clock.ts";
import type { Migration } from "../migrate.ts";
import { migrations } from "../migrations/index.ts";
import { makePrivate, type ExposedFile } from "../private-files.ts";
import type { Program } from "../step.ts";
import type { ProgramRun, Row, Store, StoreError } from "../store.ts";
import type { ArchiveRequest } from "./archive-thread.ts";
import { toVersions } from "./dialect.ts";
import { openDiskFolder } from "./disk-file.ts";
import { Journal } from "./journal.ts";
import type { JournalRequest } from "./journal-thread.ts";
import { lockFolder, type FolderLock } from "./lock.ts";
import { Thread } from "./thread.ts";

interface SqliteNeeds {
  folder: string;
  programs: Readonly<Record<string, Program>>;
  log: { programs: Readonly<Record<string, Program>>; migrations: readonly Migration[] };
  /** Told of a run that the database does not take; it is kept aside in a file of its own. */
  onRejected?(run: ProgramRun, error: StoreError): void;
  /** Told of a file that others on the machine can read all the same. */
  onExposed?(exposed: ExposedFile): void;
}

export const mainFile = "sluice.db";
export const logFile = "log.db";

export function mainVersions(): string[][] {
  return toVersions(migrations);
}

interface OpenedFolder {
  lock: FolderLock;
  writer: Thread<JournalRequest, Row[][]>;
  archive: Thread<ArchiveRequest, Row[]>;
}

export async function openSqlite(needs: SqliteNeeds): Promise<Store> {
  const { folder } = needs;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder);
  const opened: OpenedFolder = {
    lock,
    writer: new Thread(new Worker(new URL("./journal-thread.ts", import.meta.url), { smol: true })),
    archive: new Thread(
      new Worker(new URL("./archive-thread.ts", import.meta.url), { smol: true }),
    ),
  };
  try {
    return toStore(opened, await openJournal(opened, needs));
  } catch (error) {
    await release(opened);
    throw error;
  }
}

async function openJournal(
  { writer, archive }: OpenedFolder,
  { folder, programs, log, onRejected, onExposed }: SqliteNeeds,
): Promise<Journal> {
  for (const exposed of makePrivate(folder, [mainFile, logFile])) onExposed?.(exposed);
  const mainPath = join(folder, mainFile);
  const [state] = await writer.call({
    kind: "open",
    path: mainPath,
    programs,
    versions: mainVersions(),
  });
  await archive.call({
    kind: "open",
    mainPath,
    log: {
      path: join(folder, logFile),
      programs: log.programs,
      versions: toVersions(log.migrations),
    },
  });
  return await Journal.open({
    folder: openDiskFolder(folder),
    database: { commit: (runs, statements) => writer.call({ kind: "commit", runs, statements }) },
    appliedSequence: Number(state?.[0]?.["sequence"] ?? 0),
    timers: systemTimers,
    rejected: (run, error) => onRejected?.(run, error),
  });
}

function toStore(opened: OpenedFolder, journal: Journal): Store {
  const { archive } = opened;
  return {
    read: (statement) => archive.call({ kind: "read", statement }),
    append: (run, gate) => journal.append(run, gate === "synced"),
    commit: ({ run, statements = [] }) => journal.commit(statements, run),
    applied: () => journal.apply(),
    readLog: (statement) => archive.call({ kind: "read-log", statement }),
    writeLog: async (commit) => {
      await archive.call({ kind: "write-log", commit });
    },
    async close() {
      try {
        await journal.close();
      } finally {
        await release(opened);
      }
    },
  };
}

/** The database's writer ends first, so that the last checkpoint takes everything. */
async function release({ lock, writer, archive }: OpenedFolder): Promise<void> {
  for (const thread of [writer, archive]) {
    // A thread that never opened its database has nothing to close.
    await thread.call({ kind: "close" }).catch(() => {});
    thread.terminate();
  }
  lock.release();
}
