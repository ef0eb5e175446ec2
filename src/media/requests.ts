// Requests of tasks that have not begun, where they are too large for a row: a file for each, under
// the task's id, beside the media.
import { mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { S3Client } from "bun";
import { timeOfId, type TaskId } from "../core/ids.ts";
import type { S3Rules } from "./s3.ts";

export interface RequestStorage {
  /** Kept when it resolves. */
  put(id: TaskId, text: string): Promise<void>;
  read(id: TaskId): Promise<string | null>;
  /** Removing what is gone already is no fault. */
  remove(id: TaskId): Promise<void>;
  /** Lets go of what was kept before then: its task is over, whatever became of it. */
  expire(beforeMs: number): Promise<void>;
}

const namePattern = /^(task_[0-9a-z]{26})\.json$/;

export class FolderRequests implements RequestStorage {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(id: TaskId, text: string): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const path = join(this.#folder, nameOf(id));
    const file = await open(`${path}.new`, "w", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(`${path}.new`, path);
    const folder = await open(this.#folder, "r");
    await folder.sync().finally(() => folder.close());
  }

  async read(id: TaskId): Promise<string | null> {
    const file = Bun.file(join(this.#folder, nameOf(id)));
    return (await file.exists()) ? await file.text() : null;
  }

  async remove(id: TaskId): Promise<void> {
    await rm(join(this.#folder, nameOf(id)), { force: true });
  }

  async expire(beforeMs: number): Promise<void> {
    // Nothing was kept as long as there is no folder.
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names) {
      const bare = name.replace(/\.new$/, "");
      if (isBefore(bare, beforeMs)) await rm(join(this.#folder, name), { force: true });
    }
  }
}

export class S3Requests implements RequestStorage {
  readonly #client: S3Client;
  readonly #prefix: string;

  constructor({ prefix, ...rules }: S3Rules) {
    this.#client = new S3Client(rules);
    this.#prefix = `${prefix}requests/`;
  }

  async put(id: TaskId, text: string): Promise<void> {
    await this.#client.file(this.#prefix + nameOf(id)).write(text, { type: "application/json" });
  }

  async read(id: TaskId): Promise<string | null> {
    const file = this.#client.file(this.#prefix + nameOf(id));
    return (await file.exists()) ? await file.text() : null;
  }

  async remove(id: TaskId): Promise<void> {
    const file = this.#client.file(this.#prefix + nameOf(id));
    if (await file.exists()) await file.delete();
  }

  /** One page at a time; what is left comes with the next one. */
  async expire(beforeMs: number): Promise<void> {
    const { contents = [] } = await this.#client.list({ prefix: this.#prefix });
    for (const { key } of contents) {
      if (!isBefore(key.slice(this.#prefix.length), beforeMs)) continue;
      await this.#client.file(key).delete();
    }
  }
}

function nameOf(id: TaskId): string {
  const name = `${id}.json`;
  if (!namePattern.test(name)) throw new TypeError("not the id of a task");
  return name;
}

function isBefore(name: string, beforeMs: number): boolean {
  const [, id = ""] = namePattern.exec(name) ?? [];
  const keptAtMs = timeOfId(id);
  return keptAtMs !== null && keptAtMs < beforeMs;
}
