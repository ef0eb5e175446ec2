// The folder of backups: what is in it, what comes into it, and what leaves it.
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { backupName } from "../../admin/backup/contract.ts";
import type { BackupFile } from "../../admin/backup/needs.ts";
import { GatewayError } from "../../core/errors.ts";
import { receiveFile, roomIn } from "../maintenance/received-file.ts";

const uploadMost = 64 * 1024 ** 3;
const mark = {
  bytes: [0x1f, 0x8b],
  refusal: "is no archive that sluice backup made: it is not packed by gzip",
};

export class KeptBackups {
  readonly path: string;
  readonly #dataFolder: string;
  #isUploading = false;

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
    this.path = join(dataFolder, "backups");
  }

  make(): void {
    mkdirSync(this.path, { recursive: true, mode: 0o700 });
  }

  /** Removes whatever was on its way when a process died. */
  removeDrafts(): void {
    for (const name of this.#names().filter((one) => one.includes(".partial-"))) {
      rmSync(join(this.path, name), { recursive: true, force: true });
    }
  }

  list(): BackupFile[] {
    return this.#names()
      .filter((name) => backupName.test(name) && !name.includes(".partial-"))
      .flatMap((name) => {
        const stat = statSync(join(this.path, name), { throwIfNoEntry: false });
        return stat?.isFile() ? [{ name, bytes: stat.size, atMs: Math.round(stat.mtimeMs) }] : [];
      })
      .sort((one, other) => other.atMs - one.atMs);
  }

  uploadBytesMax(): number {
    return roomIn(this.#dataFolder, uploadMost);
  }

  /** Appears under its name whole or not at all. */
  async keep(name: string, pieces: AsyncIterable<Uint8Array>): Promise<BackupFile> {
    if (this.#isUploading) {
      throw new GatewayError("conflict", { message: "Another backup is being uploaded." });
    }
    this.#isUploading = true;
    const draft = `upload.partial-${process.pid}`;
    try {
      this.make();
      await receiveFile(pieces, { folder: this.path, draft, name, mark });
    } finally {
      this.#isUploading = false;
    }
    const { size, mtimeMs } = statSync(join(this.path, name));
    return { name, bytes: size, atMs: Math.round(mtimeMs) };
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true });
  }

  open(name: string): { bytes: number; pieces: AsyncIterable<Uint8Array> } | null {
    const file = this.list().find((one) => one.name === name);
    return file ? { bytes: file.bytes, pieces: Bun.file(join(this.path, name)).stream() } : null;
  }

  #names(): string[] {
    return existsSync(this.path) ? readdirSync(this.path) : [];
  }
}
