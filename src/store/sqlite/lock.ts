// One process owns a data folder. The lock is an exclusive SQLite transaction on a file of its own:
// the operating system drops it with the process, however that dies.
import { Database } from "bun:sqlite";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Timers } from "../../core/clock.ts";

export interface FolderLock {
  release(): void;
}

export class FolderLocked extends Error {
  override readonly name = "FolderLocked";

  constructor(folder: string) {
    super(`another sluice process is using the data folder ${folder}`);
  }
}

const lockFile = "lock";
const lookEveryMs = 1000;

export function lockFolder(folder: string): FolderLock {
  const database = new Database(join(folder, lockFile), { create: true });
  try {
    database.run("pragma locking_mode = exclusive");
    database.run("begin exclusive");
  } catch {
    database.close();
    throw new FolderLocked(folder);
  }
  return { release: () => database.close() };
}

interface HoldNeeds {
  timers: Timers;
  /** Told once when another process has taken the place of a lock that was removed. */
  lost(): void;
}

/** A lock that is taken anew when somebody removes its file, as cleaners of old files do. */
export function holdFolder(folder: string, { timers, lost }: HoldNeeds): FolderLock {
  let lock = lockFolder(folder);
  let inode = inodeOf(folder);
  let isLost = false;
  const stop = timers.every(lookEveryMs, () => {
    if (inodeOf(folder) === inode) return;
    try {
      const next = lockFolder(folder);
      lock.release();
      lock = next;
      inode = inodeOf(folder);
    } catch {
      if (!isLost) lost();
      isLost = true;
    }
  });
  return {
    release() {
      stop();
      lock.release();
    },
  };
}

function inodeOf(folder: string): number | null {
  return statSync(join(folder, lockFile), { throwIfNoEntry: false })?.ino ?? null;
}

/** True while a process holds the folder. */
export function isFolderLocked(folder: string): boolean {
  try {
    lockFolder(folder).release();
    return false;
  } catch (error) {
    if (error instanceof FolderLocked) return true;
    throw error;
  }
}
