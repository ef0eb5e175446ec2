// Keeps records as JSON lines in a folder that only its owner reads: a file a day, or more where
// one is full; the oldest go when their time or the room is over. Nothing waits for it, and what
// does not fit is dropped and counted.
import { appendFile, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Clock, Stop, Timers } from "../../core/clock.ts";
import { dayMs } from "../../core/day.ts";
import { describe, type Log } from "../../core/log.ts";
import type { ContentRecord } from "./record.ts";

export interface KeptFiles {
  folder: string;
  retentionDays: number;
  /** Limit of all files together. */
  bytesMax: number;
}

interface ContentFilesNeeds {
  clock: Clock;
  timers: Timers;
  log: Log;
  files: KeptFiles;
}

const flushMs = 500;
const waitingCharactersMax = 16 * 1024 * 1024;
const fileBytesMax = 16 * 1024 * 1024;
const ownFile = /^\d{4}-\d\d-\d\d-\d{4}\.jsonl$/;

export class ContentFiles {
  readonly #needs: ContentFilesNeeds;
  readonly #stop: Stop;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #writing: Promise<void> | null = null;
  #file = { name: "", bytes: 0 };
  #sent = 0;
  #dropped = 0;
  #isFaulted = false;

  constructor(needs: ContentFilesNeeds) {
    this.#needs = needs;
    this.#stop = needs.timers.every(flushMs, () => this.#tick());
  }

  get sent(): number {
    return this.#sent;
  }

  get dropped(): number {
    return this.#dropped;
  }

  add(record: ContentRecord): void {
    const line = `${JSON.stringify(record)}\n`;
    if (this.#waitingCharacters + line.length > waitingCharactersMax) {
      this.#dropped++;
      return;
    }
    this.#waiting.push(line);
    this.#waitingCharacters += line.length;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#writing;
    if (this.#waiting.length > 0) await this.#write();
  }

  #tick(): void {
    if (this.#writing || this.#waiting.length === 0) return;
    this.#writing = this.#write().finally(() => (this.#writing = null));
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    this.#waitingCharacters = 0;
    const text = lines.join("");
    try {
      const bytes = Buffer.byteLength(text);
      const isNew = await this.#choose(bytes);
      await appendFile(join(this.#needs.files.folder, this.#file.name), text, { mode: 0o600 });
      this.#file.bytes += bytes;
      this.#sent += lines.length;
      this.#isFaulted = false;
      if (isNew) await expireFiles(this.#needs.files, this.#needs.clock.nowMs());
    } catch (error) {
      this.#dropped += lines.length;
      const { log } = this.#needs;
      if (!this.#isFaulted) log.warn("contents cannot be kept", { error: describe(error) });
      this.#isFaulted = true;
    }
  }

  /** The file of the day that still has room; true when it is a new one. */
  async #choose(bytes: number): Promise<boolean> {
    const day = dayText(this.#needs.clock.nowMs());
    const { name, bytes: size } = this.#file;
    if (name.startsWith(day) && size + bytes <= fileBytesMax) return false;
    await mkdir(this.#needs.files.folder, { recursive: true, mode: 0o700 });
    const last = (await namesIn(this.#needs.files.folder)).findLast((known) =>
      known.startsWith(day),
    );
    const next = last === undefined ? 0 : Number(last.slice(11, 15)) + 1;
    this.#file = { name: `${day}-${String(next).padStart(4, "0")}.jsonl`, bytes: 0 };
    return true;
  }
}

/** Removes what is too old, and the oldest where there is too much. */
export async function expireFiles(files: KeptFiles, nowMs: number): Promise<void> {
  const { folder, retentionDays, bytesMax } = files;
  const oldest = dayText(nowMs - retentionDays * dayMs);
  let room = bytesMax;
  for (const name of (await namesIn(folder)).toReversed()) {
    const path = join(folder, name);
    room -= (await stat(path)).size;
    if (room < 0 || name < oldest) await rm(path, { force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => ownFile.test(name)).toSorted();
}

function dayText(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}
