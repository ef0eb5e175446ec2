// The files of a backup: what they are called, and how they are copied and proven.
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { isObject, parseJson, type JsonObject } from "../../core/json.ts";
import { journalFileNames } from "../../store/sqlite/journal.ts";
import { logFile, mainFile } from "../../store/sqlite/open.ts";
import { oldSecretFile } from "../../store/kept-secret.ts";
import { rejectedFileName } from "../../store/sqlite/rejected-records.ts";
import { BackupFault } from "./fault.ts";

export const manifestFile = "backup.json";
export const mediaFolder = "media";
/** Copied as they are. */
export const plainFiles = ["secret", oldSecretFile, rejectedFileName];
/** The main database last: without it there is nothing to start on. */
export const restoredNames = [
  ...plainFiles,
  ...journalFileNames,
  mediaFolder,
  logFile,
  mainFile,
] as const;

const forOwner = 0o600;

/** False when it is not there, or not any more. */
export function copyPrivately(from: string, to: string): boolean {
  try {
    copyFileSync(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
  chmodSync(to, forOwner);
  return true;
}

type MediaCopied = {
  files: number;
  bytes: number;
};

/** Files on their way stand in a folder below, and are left out. */
export function copyMedia(from: string, to: string): MediaCopied {
  const copied: MediaCopied = { files: 0, bytes: 0 };
  if (!existsSync(from)) return copied;
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!entry.isFile() || !copyPrivately(join(from, entry.name), join(to, entry.name))) continue;
    copied.files++;
    copied.bytes += statSync(join(to, entry.name)).size;
  }
  return copied;
}

/** Resolves to what proves a file: its length and its SHA-256. */
export async function fileProof(path: string): Promise<{ bytes: number; sha256: string }> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk);
  return { bytes: statSync(path).size, sha256: hasher.digest("hex") };
}

/** A backup that was made by hand has no manifest, and only its books can be checked. */
export async function checkFiles(folder: string): Promise<void> {
  const path = join(folder, manifestFile);
  if (!existsSync(join(folder, mainFile))) throw new BackupFault(`this is no backup: ${folder}`);
  if (!existsSync(path)) return;
  const manifest = parseJson(readFileSync(path));
  const files = isObject(manifest) && isObject(manifest["files"]) ? manifest["files"] : {};
  for (const [name, proof] of Object.entries(files)) {
    const file = join(folder, name);
    const copyProof = existsSync(file) ? await fileProof(file) : null;
    const wanted: JsonObject = isObject(proof) ? proof : {};
    if (copyProof?.bytes === wanted["bytes"] && copyProof?.sha256 === wanted["sha256"]) continue;
    throw new BackupFault(`${name} of the backup is damaged: it is not as it was written`);
  }
}

/** Everything in a folder, and its names, survive a loss of power. */
export function syncFolder(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) syncFolder(join(folder, entry.name));
    else if (entry.isFile()) syncPath(join(folder, entry.name));
  }
  syncPath(folder);
}

export function syncPath(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
