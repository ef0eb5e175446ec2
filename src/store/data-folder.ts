// Check of a data folder's use by whoever runs this, made before anything is made in it: what the
// system says of a file that is not one's own names neither the setting nor the remedy.
import { accessSync, constants, readFileSync, statSync, type Stats } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** In words for the operator: what, where, and what to do. */
export class FolderUnusable extends Error {
  override readonly name = "FolderUnusable";
}

/** Without these nothing starts, and a first start has made them all. */
const neededFiles = ["lock", "sluice.db", "log.db", "secret", "server.json"];
const another = "name another folder in SLUICE_DATA";

export function assertFolderUsable(folder: string): void {
  const place = resolve(folder);
  const there = nearest(place);
  if (!there.stat.isDirectory()) {
    throw new FolderUnusable(
      `The data folder ${place} (SLUICE_DATA) cannot be made: ${there.path} is a file. ` +
        `Remove it, or ${another}.`,
    );
  }
  const isThere = there.path === place;
  const files = isThere ? neededFiles.map((name) => join(place, name)) : [];
  for (const path of [there.path, ...files]) {
    const stat = path === there.path ? there.stat : statOf(path);
    const code = stat && closedBy(path, stat.isDirectory());
    if (stat && code) throw closed(place, { path, stat, code, isThere });
  }
}

/** Any other error as it is: only where the disk is full is the folder to blame. */
export function toFolderError(error: unknown, folder: string): unknown {
  const isFull = /\b(?:ENOSPC|EDQUOT)\b|disk is full/.test(String(error));
  if (!isFull) return error;
  return new FolderUnusable(
    `The data folder ${resolve(folder)} (SLUICE_DATA) is on a disk that is full. ` +
      "Make room and start again: nothing is lost.",
  );
}

interface Found {
  path: string;
  stat: Stats;
}

/** The path itself, or what there is of the way to it. */
function nearest(path: string): Found {
  const stat = statOf(path);
  const above = dirname(path);
  if (stat) return { path, stat };
  return nearest(above);
}

/** Null for a path that cannot be looked at, which is judged by what stands above it. */
function statOf(path: string): Stats | null {
  try {
    return statSync(path);
  } catch {
    return null;
  }
}

function closedBy(path: string, isFolder: boolean): string | null {
  try {
    const { R_OK, W_OK, X_OK } = constants;
    accessSync(path, isFolder ? W_OK | X_OK : R_OK | W_OK);
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

interface Closed extends Found {
  code: string;
  isThere: boolean;
}

function closed(place: string, { path, stat, code, isThere }: Closed): FolderUnusable {
  const what = isThere
    ? `The data folder ${place} (SLUICE_DATA) cannot be used:`
    : `The data folder ${place} (SLUICE_DATA) cannot be made:`;
  if (code === "EROFS") {
    const remedy = `Mount it for writing, or ${another}.`;
    return new FolderUnusable(`${what} ${path} is mounted read-only. ${remedy}`);
  }
  const uid = process.getuid?.() ?? 0;
  const username = nameOf(uid);
  if (stat.uid === uid) {
    const remedy = `Open it (chmod -R u+rwX ${path}), or ${another}.`;
    return new FolderUnusable(`${what} ${path} is closed to its owner ${username}. ${remedy}`);
  }
  const owner = nameOf(stat.uid);
  const remedy = isThere ? `chown -R ${username} ${place}` : `make it as ${owner} and chown it`;
  return new FolderUnusable(
    `${what} ${path} belongs to ${owner}, and this is ${username}. ` +
      `Give it to ${username} (${remedy}), or ${another}.`,
  );
}

/** Name of a user on this system, or its number, which every command takes as well. */
function nameOf(uid: number): string {
  try {
    const lines = readFileSync("/etc/passwd", "utf8").split("\n");
    const line = lines.find((one) => one.split(":")[2] === String(uid));
    return line?.split(":")[0] ?? String(uid);
  } catch {
    return String(uid);
  }
}
