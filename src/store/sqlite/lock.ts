// One process owns a data folder. The lock is an exclusive SQLite transaction on a file of its own:
// the operating system drops it with the process, however that dies.
import { Database } from "bun:sqlite";
import { join } from "node:path";

export interface FolderLock {
  release(): void;
}

export class FolderLocked extends Error {
  override readonly name = "FolderLocked";

  constructor(folder: string) {
    super(`another sluice process is using the data folder ${folder}`);
  }
}

export function lockFolder(folder: string): FolderLock {
  const database = new Database(join(folder, "lock"), { create: true });
  try {
    database.run("pragma locking_mode = exclusive");
    database.run("begin exclusive");
  } catch {
    database.close();
    throw new FolderLocked(folder);
  }
  return { release: () => database.close() };
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
