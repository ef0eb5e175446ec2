// The few things that the journal asks of its files, as a port: a simulation brings a disk that
// fails, tears and forgets.
import {
  closeSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

export interface DiskFile {
  size(): number;
  read(): Uint8Array;
  /** Adds to the end, perhaps not all of it; returns how many bytes were taken. */
  write(bytes: Uint8Array): number;
  truncate(toBytes: number): void;
  /** Resolves when everything written so far survives a loss of power. */
  sync(): Promise<void>;
  close(): void;
}

export interface DiskFolder {
  /** The file of that name, made if it is not there. */
  open(name: string): DiskFile;
}

export function openDiskFolder(folder: string): DiskFolder {
  return {
    open(name) {
      const file = openDiskFile(join(folder, name));
      syncNames(folder);
      return file;
    },
  };
}

function openDiskFile(path: string): DiskFile {
  const file = openSync(path, "a+", 0o600);
  return {
    size: () => fstatSync(file).size,
    read: () => readFileSync(path),
    write: (bytes) => writeSync(file, bytes),
    truncate: (toBytes) => ftruncateSync(file, toBytes),
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(file, (error) => (error ? reject(error) : resolve()));
      }),
    close: () => closeSync(file),
  };
}

/** A file's own sync need not keep its name; where folders cannot be synced, it has to. */
function syncNames(folder: string): void {
  let directory: number | null = null;
  try {
    directory = openSync(folder, "r");
    fsyncSync(directory);
  } catch {
    return;
  } finally {
    if (directory !== null) closeSync(directory);
  }
}
