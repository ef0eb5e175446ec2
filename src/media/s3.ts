// Media in a bucket of an S3-compatible store.
import { rm } from "node:fs/promises";
import { S3Client } from "bun";
import type { MediaType } from "./sniff.ts";
import { readMediaId, type MediaStorage, type StoredEntry, type StoredFile } from "./storage.ts";

export interface S3Rules {
  endpoint: string;
  region: string;
  bucket: string;
  /** Before every name, such as `media/`; may be empty. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
}

const partBytes = 8 * 1024 * 1024;

export class S3Storage implements MediaStorage {
  readonly #client: S3Client;
  readonly #prefix: string;

  constructor({ prefix, ...rules }: S3Rules) {
    this.#client = new S3Client(rules);
    this.#prefix = prefix;
  }

  /** In parts, so that a large file is never in memory as a whole. */
  async put(id: string, path: string, type: MediaType): Promise<void> {
    const writer = this.#fileOf(id).writer({ type, partSize: partBytes, retry: 3 });
    for await (const piece of Bun.file(path).stream()) {
      writer.write(piece);
      await writer.flush();
    }
    await writer.end();
    await rm(path, { force: true });
  }

  async open(id: string): Promise<StoredFile | null> {
    const file = this.#fileOf(id);
    try {
      const { size } = await file.stat();
      return { bytes: size, part: (start, end) => file.slice(start, end).stream() };
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async remove(id: string): Promise<void> {
    try {
      await this.#fileOf(id).delete();
    } catch (error) {
      if (!isAbsent(error)) throw error;
    }
  }

  async *list(): AsyncIterable<StoredEntry> {
    let startAfter: string | undefined;
    for (;;) {
      const input = { prefix: this.#prefix, ...(startAfter !== undefined && { startAfter }) };
      const { contents = [], isTruncated } = await this.#client.list(input);
      for (const { key, size } of contents) {
        const id = key.slice(this.#prefix.length);
        if (readMediaId(id)) yield { id, bytes: Number(size ?? 0) };
      }
      startAfter = contents.at(-1)?.key;
      if (isTruncated !== true || startAfter === undefined) return;
    }
  }

  #fileOf(id: string) {
    if (readMediaId(id) === null) throw new TypeError("not the id of media");
    return this.#client.file(`${this.#prefix}${id}`);
  }
}

function isAbsent(error: unknown): boolean {
  if (!(error instanceof Error) || !("code" in error)) return false;
  return error.code === "NoSuchKey" || error.code === "NotFound";
}
