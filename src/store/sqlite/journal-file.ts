// The journal: an append-only file of records, each a line with a checksum and a number. A record
// is written once, in one call, so it survives the death of the process as soon as it is appended;
// the database takes records over in large commits and remembers the number of the last one.
import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { StoreError, type ProgramRun } from "../store.ts";

export interface JournalRecord {
  sequence: number;
  run: ProgramRun;
}

export class JournalFile {
  readonly #file: number;
  #bytes: number;
  #lastSequence = 0;

  constructor(path: string) {
    this.#file = openSync(path, "a+", 0o600);
    this.#bytes = fstatSync(this.#file).size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of the newest record in here. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  /** Whole or not at all: what a full disk cut short is taken back. */
  append(record: JournalRecord): void {
    const line = Buffer.from(encodeRecord(record));
    let written = 0;
    try {
      while (written < line.length) written += writeSync(this.#file, line, written);
      this.#bytes += line.length;
      this.#lastSequence = record.sequence;
    } catch (error) {
      ftruncateSync(this.#file, this.#bytes);
      throw error;
    }
  }

  /** Resolves when everything appended so far survives a loss of power. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#file, (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Forgets all records, once the database has them. */
  clear(): void {
    if (this.#bytes === 0) return;
    ftruncateSync(this.#file, 0);
    this.#bytes = 0;
  }

  close(): void {
    closeSync(this.#file);
  }
}

/** The records of a file in order. Only the last line may be torn: that one was never answered. */
export function readJournal(path: string): JournalRecord[] {
  if (!existsSync(path)) return [];
  const records: JournalRecord[] = [];
  const lines = readFileSync(path, "utf8").split("\n");
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
  const text = `${sequence} ${run.program} ${run.document}`;
  return `${checksum(text)} ${text}\n`;
}

function decodeRecord(line: string): JournalRecord | null {
  const parts = /^([0-9a-f]+) ((\d+) (\S+) (.*))$/.exec(line);
  if (!parts) return null;
  const [, sum, text = "", sequence, program = "", document = ""] = parts;
  if (checksum(text) !== sum) return null;
  return { sequence: Number(sequence), run: { program, document } };
}

function checksum(text: string): string {
  return Bun.hash.crc32(text).toString(16);
}
