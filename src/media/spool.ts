// The place of media while it arrives and is looked at: on disk, since it may be larger than
// memory.
import { mkdirSync, rmSync } from "node:fs";
import { open, rm, type FileHandle } from "node:fs/promises";
import { join } from "node:path";

export type Pieces = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export interface SpooledFile {
  path: string;
  bytes: number;
}

export class Spool {
  readonly #folder: string;
  #count = 0;

  /** Files that the last process left there are of no use to anyone. */
  constructor(folder: string) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#folder = folder;
  }

  /** A file that whoever asked for it writes, and removes when it is of no more use. */
  async create(): Promise<SpoolWriter> {
    const path = this.#newPath();
    return new SpoolWriter(path, await open(path, "wx", 0o600));
  }

  /** Writes and syncs the pieces, lets `use` have the file, and removes it unless it was moved. */
  async hold<Value>(pieces: Pieces, use: (file: SpooledFile) => Promise<Value>): Promise<Value> {
    const path = this.#newPath();
    try {
      return await use({ path, bytes: await write(path, pieces) });
    } finally {
      await rm(path, { force: true });
    }
  }

  #newPath(): string {
    return join(this.#folder, String(this.#count++));
  }
}

/** Not synced: what it holds is worth nothing to the next process. */
export class SpoolWriter {
  readonly path: string;
  #file: FileHandle | null;
  #bytes = 0;

  constructor(path: string, file: FileHandle) {
    this.path = path;
    this.#file = file;
  }

  get bytes(): number {
    return this.#bytes;
  }

  async write(piece: Uint8Array): Promise<void> {
    if (!this.#file) throw new TypeError("the file is closed");
    await this.#file.writeFile(piece);
    this.#bytes += piece.length;
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close();
  }

  async remove(): Promise<void> {
    await this.close();
    await rm(this.path, { force: true });
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
