// A file of the journal: records, each a line with a checksum and a number, added one by one. A
// record is written in one call, so it survives the death of the process as soon as it is appended.
import { StoreError, type ProgramRun } from "../store.ts";
import type { DiskFile } from "./disk-file.ts";

export interface JournalRecord {
  sequence: number;
  run: ProgramRun;
}

export class JournalFile {
  readonly #file: DiskFile;
  #bytes: number;
  #lastSequence = 0;
  /** Counts appends; numbers of records would not do, because some are given anew. */
  #version = 0;
  /** What survives a loss of power; at first not even that the file is empty. */
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

  /** What an earlier process left in here. */
  read(): JournalRecord[] {
    const records = decodeRecords(this.#file.read());
    this.#lastSequence = records.at(-1)?.sequence ?? 0;
    return records;
  }

  /** Whole or not at all: what a full disk cut short is taken back. */
  append(record: JournalRecord): void {
    if (this.#isTorn) this.#takeBack();
    const line = Buffer.from(encodeRecord(record));
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
    this.#lastSequence = record.sequence;
  }

  /** Resolves when everything appended so far survives a loss of power. */
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
    if (this.#bytes > 0 || this.#isTorn) this.#file.truncate(0);
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

const decoder = new TextDecoder();

/** The records in order. Only the last line may be torn: that one was never answered. */
export function decodeRecords(bytes: Uint8Array): JournalRecord[] {
  const records: JournalRecord[] = [];
  const lines = decoder.decode(bytes).split("\n");
  for (const [at, line] of lines.entries()) {
    if (line === "") continue;
    const record = decodeRecord(line);
    if (record) records.push(record);
    else if (lines.slice(at + 1).some((later) => decodeRecord(later))) {
      throw new StoreError("other", `record ${at + 1} of the journal is damaged`);
    }
  }
  return records;
}

export function encodeRecord({ sequence, run }: JournalRecord): string {
  // A document is JSON, in which no tab stands as itself.
  const logged = run.logged === undefined ? "" : `\t${run.logged}`;
  const text = `${sequence} ${run.program} ${run.document}${logged}`;
  return `${checksum(text)} ${text}\n`;
}

function decodeRecord(line: string): JournalRecord | null {
  // A text may hold other line separators than the one between records.
  const parts = /^([0-9a-f]+) ((\d+) (\S+) (.*))$/s.exec(line);
  if (!parts) return null;
  const [, sum, text = "", sequence, program = "", documents = ""] = parts;
  if (checksum(text) !== sum) return null;
  const [document = "", logged] = documents.split("\t");
  const run = logged === undefined ? { program, document } : { program, document, logged };
  return { sequence: Number(sequence), run };
}

function checksum(text: string): string {
  return Bun.hash.crc32(text).toString(16);
}
