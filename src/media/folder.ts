// Media in a folder of the data folder: a file appears under its name whole or not at all.
import { copyFile, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { readMediaId, type MediaStorage, type StoredEntry, type StoredFile } from "./storage.ts";

export class FolderStorage implements MediaStorage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The file has been synced by whoever wrote it; the folder's own record of it follows. */
  async put(id: string, path: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await move(path, this.#pathOf(id));
    const folder = await open(this.#folder, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  async open(id: string): Promise<StoredFile | null> {
    const file = Bun.file(this.#pathOf(id));
    if (!(await file.exists())) return null;
    return { bytes: file.size, part: (start, end) => file.slice(start, end) };
  }

  async remove(id: string): Promise<void> {
    await rm(this.#pathOf(id), { force: true });
  }

  async *list(): AsyncIterable<StoredEntry> {
    for (const id of await namesIn(this.#folder)) {
      if (readMediaId(id) === null) continue;
      const size = await sizeOf(this.#pathOf(id));
      if (size !== null) yield { id, bytes: size };
    }
  }

  #pathOf(id: string): string {
    if (readMediaId(id) === null) throw new TypeError("not the id of media");
    return join(this.#folder, id);
  }
}

/** Into a folder of another disk it goes by a copy, which is synced before it has its name. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error) || error.code !== "EXDEV") throw error;
    const arriving = `${to}.arriving`;
    await copyFile(from, arriving);
    const file = await open(arriving, "r+");
    await file.sync().finally(() => file.close());
    await rename(arriving, to);
    await rm(from, { force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    // Nothing was kept yet.
    return [];
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    // Removed since the folder was read.
    return null;
  }
}
