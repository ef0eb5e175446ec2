// Opens a data folder: takes its lock, starts the two threads and wires them into a Store.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { systemClock, systemTimers } from "../../core/clock.ts";
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
import { holdFolder, type FolderLock } from "./lock.ts";
import { logProgramName } from "./log-taker.ts";
import { Thread, type StoreWorker } from "./thread.ts";

interface LogNeeds {
  program: Program;
  migrations: readonly Migration[];
  /** Told when it cannot be written, once, and null when it can again. */
  onFault?(error: StoreError | null): void;
  /** Told how many requests the log will never have. */
  onLost?(count: number, error: StoreError): void;
}

/** Starts the threads of a folder: the one that writes, and the one for what may be slow. */
export interface FolderThreads {
  startWriter(): StoreWorker;
  startArchive(): StoreWorker;
}

export const systemThreads = {
  startWriter: () => new Worker(new URL("./journal-thread.ts", import.meta.url), { smol: true }),
  startArchive: () => new Worker(new URL("./archive-thread.ts", import.meta.url), { smol: true }),
} satisfies FolderThreads;

interface SqliteNeeds {
  folder: string;
  threads?: FolderThreads;
  programs: Readonly<Record<string, Program>>;
  log: LogNeeds;
  /** Told of a run that the database does not take; it is kept aside in a file of its own. */
  onRejected?(run: ProgramRun, error: StoreError): void;
  /** Told of a run that power has left without those before it; it is kept in the same file. */
  onOrphaned?(run: ProgramRun): void;
  /** Told of a line of the journal that was damaged; it is kept in the same file. */
  onDamaged?(error: StoreError): void;
  /** Told when the folder's lock was removed and another process has it now. */
  onOtherProcess?(): void;
  /** Told of a file that others on the machine can read all the same. */
  onExposed?(exposed: ExposedFile): void;
}

export const mainFile = "sluice.db";
export const logFile = "log.db";

/** A log that is newer than its ledger can only be checked against what was booked since. */
const setSince = "update journal_state set since_ms = ? where since_ms is null";

export function mainVersions(): string[][] {
  return toVersions(migrations);
}

interface OpenedFolder {
  lock: FolderLock;
  writer: Thread<JournalRequest, Row[][]>;
  archive: Thread<ArchiveRequest, Row[]>;
}

export async function openSqlite(needs: SqliteNeeds): Promise<Store> {
  const { folder, threads = systemThreads } = needs;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = holdFolder(folder, { timers: systemTimers, lost: () => needs.onOtherProcess?.() });
  const opened: OpenedFolder = {
    lock,
    writer: new Thread(threads.startWriter()),
    archive: new Thread(threads.startArchive()),
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
  needs: SqliteNeeds,
): Promise<Journal> {
  const { folder, programs, log } = needs;
  for (const exposed of makePrivate(folder, [mainFile, logFile])) needs.onExposed?.(exposed);
  const [mainPath, logPath] = [join(folder, mainFile), join(folder, logFile)];
  const [main, logged] = await writer.call({
    kind: "open",
    main: { path: mainPath, programs, versions: mainVersions() },
    log: {
      path: logPath,
      programs: { [logProgramName]: log.program },
      versions: toVersions(log.migrations),
    },
  });
  await archive.call({ kind: "open", mainPath, logPath });
  const sinceMs = sequenceIn(main) === 0 ? 0 : systemClock.nowMs();
  const statements = [{ sql: setSince, parameters: [sinceMs] }];
  await writer.call({ kind: "commit-log", commit: { statements }, sync: true });
  return await Journal.open({
    folder: openDiskFolder(folder),
    database: { commit: (runs, statements) => writer.call({ kind: "commit", runs, statements }) },
    log: {
      commit: (documents, statements) =>
        writer.call({ kind: "commit-log", commit: { documents, statements }, sync: true }),
      appliedSequence: sequenceIn(logged),
      faulted: (error) => log.onFault?.(error),
      lost: (count, error) => log.onLost?.(count, error),
    },
    appliedSequence: sequenceIn(main),
    timers: systemTimers,
    rejected: (run, error) => needs.onRejected?.(run, error),
    orphaned: (run) => needs.onOrphaned?.(run),
    damaged: (error) => needs.onDamaged?.(error),
  });
}

function sequenceIn(state: readonly Row[] | undefined): number {
  return Number(state?.[0]?.["sequence"] ?? 0);
}

function toStore(opened: OpenedFolder, journal: Journal): Store {
  const { archive, writer } = opened;
  return {
    dialect: "sqlite",
    read: (statement) => archive.call({ kind: "read", statement }),
    append: (run, gate) => journal.append(run, gate === "synced"),
    commit: ({ run, statements = [] }) => journal.commit(statements, run),
    applied: () => journal.apply(),
    readLog: (statement) => archive.call({ kind: "read-log", statement }),
    logApplied: () => journal.applyLog(),
    writeLog: async (commit) => {
      await writer.call({ kind: "commit-log", commit, sync: false });
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
