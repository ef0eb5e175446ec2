// Where media lies while it arrives and is looked at: on disk, since it may be larger than memory.
import { mkdirSync, rmSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface SpooledFile {
  path: string;
  bytes: number;
}

export class Spool {
  readonly #folder: string;
  #count = 0;

  /** What the last process left there is of no use to anyone. */
  constructor(folder: string) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
  }

  /** Writes and syncs the pieces, lets `use` have the file, and removes it unless it was moved. */
  async hold<Value>(pieces: Pieces, use: (file: SpooledFile) => Promise<Value>): Promise<Value> {
    const path = join(this.#folder, String(this.#count++));
    try {
      return await use({ path, bytes: await write(path, pieces) });
    } finally {
      await rm(path, { force: true });
    }
  }
}

async function write(path: string, pieces: Pieces): Promise<number> {
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
    await file.sync();
    return bytes;
  } finally {
    await file.close();
  }
}
