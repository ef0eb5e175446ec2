// A folder that a restore was putting together when it died holds only a part of the books.
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Folder in which a restore puts a backup until it is proven. */
export const unfinishedRestore = ".restoring";

export function assertRestored(folder: string): void {
  if (!existsSync(join(folder, unfinishedRestore))) return;
  throw new Error(
    `a restore into ${folder} was not finished: empty that folder and restore the backup again`,
  );
}
