// Files of the user's as they are and as they are to be. One is replaced at once, by a rename, so
// that an agent never reads half of it.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

export interface FileState {
  text: string;
  mode: number;
}

/** States by path; null for a file that is not there. */
export type FileStates = ReadonlyMap<string, FileState | null>;

export const forOwner = 0o600;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export function readState(path: string): FileState | null {
  if (!existsSync(path)) return null;
  try {
    return { text: utf8.decode(readFileSync(path)), mode: statSync(path).mode & 0o777 };
  } catch {
    throw new Error(`${path} cannot be read as text; nothing was changed`);
  }
}

/** Makes the files so, and names those that were not. */
export function writeStates(states: FileStates): string[] {
  const changed = [...states].filter(([path, state]) => {
    const now = readState(path);
    return now?.text !== state?.text || now?.mode !== state?.mode;
  });
  for (const [path, state] of changed) {
    if (state) replaceFile(path, state);
    else rmSync(path, { force: true });
  }
  return changed.map(([path]) => path);
}

/** A link stays one: the file that it leads to is replaced. */
export function replaceFile(path: string, { text, mode }: FileState): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const real = existsSync(path) ? realpathSync(path) : path;
  const draft = `${real}.sluice-draft`;
  rmSync(draft, { force: true });
  writeFileSync(draft, text, { mode: forOwner, flag: "wx" });
  chmodSync(draft, mode);
  renameSync(draft, real);
}
