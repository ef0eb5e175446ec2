// A backup becomes a data folder, once its books were found to agree.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../core/clock.ts";
import { verifyBooks } from "../books/verify-books.ts";
import { unfinishedRestore } from "../folder/unfinished-restore.ts";
import { isArchive, unpack } from "./archive.ts";
import { BackupFault } from "./fault.ts";
import { checkFiles, restoredNames, syncFolder } from "./files.ts";

export const restoreSteps = ["unpack", "compare", "books", "place"] as const;

export interface RestoreOrder {
  /** The folder or archive. */
  backup: string;
  /** The data folder to be. */
  folder: string;
  usageDays: number;
  /** Kept also when its books do not agree. */
  isUnverified: boolean;
}

export async function restoreBackup(
  { backup, folder, usageDays, isUnverified }: RestoreOrder,
  onStep: (step: (typeof restoreSteps)[number]) => void,
) {
  const isNew = !existsSync(folder);
  assertEmpty(folder);
  if (!existsSync(backup)) throw new BackupFault(`there is no backup at ${backup}`);
  const draft = join(folder, unfinishedRestore);
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    onStep("unpack");
    await bring(backup, draft);
    onStep("compare");
    await checkFiles(draft);
    onStep("books");
    const asOf = { usageDays, nowMs: systemClock.nowMs() };
    const { rows, violations } = await verifyBooks(draft, asOf);
    const { accounts, entries } = rows;
    const ok = violations.length === 0;
    const wrong = violations.map(({ invariant, row }) => `violated: ${invariant}: ${row}`);
    if (!ok && !isUnverified) throw new BackupFault(`${wrong.join("\n")}\nnot restored`);
    onStep("place");
    moveUp(draft, folder);
    return { ok, folder, accounts, entries, violations: wrong };
  } catch (error) {
    rmSync(isNew ? folder : draft, { recursive: true, force: true });
    throw error;
  }
}

function assertEmpty(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  throw new BackupFault(
    `${folder} is not empty: a backup is restored into a folder of its own. ` +
      "Name another one with --data, or move what is there away",
  );
}

async function bring(backup: string, draft: string): Promise<void> {
  if (isArchive(backup)) {
    const { bavail, bsize } = statfsSync(draft);
    return await unpack(backup, draft, bavail * bsize);
  }
  if (!statSync(backup).isDirectory()) {
    throw new BackupFault("a backup is a folder, or a file that ends in .tar.gz");
  }
  cpSync(backup, draft, { recursive: true });
}

/** Until the last is moved, no gateway starts on the folder. */
function moveUp(draft: string, folder: string): void {
  syncFolder(draft);
  for (const name of restoredNames) {
    if (existsSync(join(draft, name))) renameSync(join(draft, name), join(folder, name));
  }
  rmSync(draft, { recursive: true, force: true });
  syncFolder(folder);
}
