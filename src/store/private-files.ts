// Makes the files of the data folder readable for their owner alone: digests of keys, balances,
// sealed secrets and the token of the command line stand in them.
import { chmodSync, closeSync, openSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Ours in a folder that may also hold what an operator has put there. */
const ownFile =
  /^(?:sluice\.db|log\.db|journal-|lock(?:-journal)?$|secret$|unshown$|server\.json$)/;
const forOthers = 0o077;
const forOwner = 0o600;

export interface ExposedFile {
  file: string;
  reason: string;
}

type ChangeMode = (path: string, mode: number) => void;

/**
 * A database that is not there yet is made empty: what SQLite makes beside one, and one that it
 * makes itself, would have the mode that the process has by default. Returns what stayed open.
 */
export function makePrivate(
  folder: string,
  databases: readonly string[],
  changeMode: ChangeMode = chmodSync,
): ExposedFile[] {
  if (process.platform === "win32") return [];
  for (const name of databases) closeSync(openSync(join(folder, name), "a", forOwner));
  const names = readdirSync(folder).filter((name) => ownFile.test(name));
  return names.flatMap((file) => {
    const reason = whyOpen(join(folder, file), changeMode);
    return reason === null ? [] : [{ file, reason }];
  });
}

function whyOpen(path: string, changeMode: ChangeMode): string | null {
  try {
    if (!isOpen(path)) return null;
    changeMode(path, forOwner);
    return isOpen(path) ? "the file system keeps no modes of files" : null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isOpen(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && found.isFile() && (found.mode & forOthers) !== 0;
}
