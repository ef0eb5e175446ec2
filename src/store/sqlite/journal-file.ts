// A file of the journal: records, each a line with a checksum and a number, added one by one. A
// record is written in one call, so it survives the death of the process as soon as it is appended.
import { StoreError } from "../store.ts";
import type { DiskFile } from "./disk-file.ts";
import { decodeLines, LineBuffer, type JournalRecord } from "./journal-line.ts";

export class JournalFile {
  readonly #file: DiskFile;
  readonly #line = new LineBuffer();
  #bytes: number;
  #lastSequence = 0;
  /** Counts what a sync has to keep; numbers of records would not do: some are given anew. */
  #version = 0;
  /** Version that survives a loss of power; at first not even that the file is empty. */
  #syncedVersion = -1;
  /** There is a piece of a record at the end that could not be taken back. */
  #isTorn = false;
  /** A sync failed: the system may have dropped what it could not write, and says so only once. */
  #isDoubtful = false;
  #isClosed = false;

  constructor(file: DiskFile) {
    this.#file = file;
    this.#bytes = file.size();
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the newest record in here. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** Whether the end has to be taken back before anything else is written, here or elsewhere. */
  get isTorn(): boolean {
    return this.#isTorn;
  }

  /** Content that an earlier process left in here; a torn end goes with the next append. */
  read(): { records: JournalRecord[]; damaged: Uint8Array[] } {
    const bytes = this.#file.read();
    const { records, damaged, wholeBytes } = decodeLines(bytes);
    this.#lastSequence = records.at(-1)?.sequence ?? 0;
    this.#isTorn = wholeBytes < bytes.length;
    this.#bytes = wholeBytes;
    return { records, damaged };
  }

  /** Whole or not at all: what a full disk cut short is taken back. */
  append(record: JournalRecord): void {
    this.appendLine(this.#line.encode(record));
    this.#lastSequence = record.sequence;
  }

  /** A line with its end, as it is. */
  appendLine(line: Uint8Array): void {
    if (this.#isTorn) this.#takeBack();
    let written = 0;
    try {
      do written += this.#file.write(written === 0 ? line : line.subarray(written));
      while (written < line.length);
    } catch (error) {
      this.#isTorn = true;
      try {
        this.#takeBack();
      } catch {
        // The next append has to, before anything else.
      }
      throw error;
    }
    this.#bytes += line.length;
    this.#version++;
  }

  /** Resolves when the file as it is now survives a loss of power, also one that was emptied. */
  async sync(): Promise<void> {
    const version = this.#version;
    if (this.#syncedVersion === version) return;
    this.#assertSound();
    try {
      await this.#file.sync();
    } catch (error) {
      this.#isDoubtful = true;
      throw error;
    }
    this.#assertSound();
    this.#syncedVersion = Math.max(this.#syncedVersion, version);
  }

  /** Forgets all records, once the database has them. */
  clear(): void {
    if (this.#bytes > 0 || this.#isTorn) {
      this.#file.truncate(0);
      this.#version++;
    }
    this.#bytes = 0;
    this.#isTorn = false;
    this.#isDoubtful = false;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#file.close();
  }

  #takeBack(): void {
    this.#file.truncate(this.#bytes);
    this.#isTorn = false;
  }

  #assertSound(): void {
    if (this.#isClosed) throw new StoreError("closed", "the journal is closed");
    if (this.#isDoubtful) throw new StoreError("io", "the journal's file could not be synced");
  }
}
