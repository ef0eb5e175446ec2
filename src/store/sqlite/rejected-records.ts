// Records that the database does not take, and lines that are damaged, are moved aside, so that all
// others go on; a person has to look at them, and finds them here as they were in the journal.
import type { DiskFolder } from "./disk-file.ts";
import { JournalFile } from "./journal-file.ts";
import { encodeRecord, type JournalRecord } from "./journal-line.ts";

export const rejectedFileName = "journal-rejected.log";

const lineEnd = 10;

export class RejectedRecords {
  readonly #folder: DiskFolder;
  #file: JournalFile | null = null;

  constructor(folder: DiskFolder) {
    this.#folder = folder;
  }

  /** Resolves when the record is kept, synced. */
  keep(record: JournalRecord): Promise<void> {
    return this.#keep(encodeRecord(record));
  }

  /** Keeps a line that is no record, without its end. */
  keepDamaged(line: Uint8Array): Promise<void> {
    return this.#keep(Buffer.concat([line, Buffer.of(lineEnd)]));
  }

  async #keep(line: Buffer): Promise<void> {
    try {
      this.#file ??= this.#open(line);
      this.#file.appendLine(line);
      await this.#file.sync();
    } catch (error) {
      this.close();
      throw error;
    }
  }

  /** Whether it was kept aside, by this process or one before. */
  has(record: JournalRecord): boolean {
    const file = this.#folder.open(rejectedFileName);
    try {
      return Buffer.from(file.read()).includes(encodeRecord(record));
    } finally {
      file.close();
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = null;
  }

  /** Opens the file without what an attempt to keep this line, cut short, left at its end. */
  #open(line: Buffer): JournalFile {
    const file = this.#folder.open(rejectedFileName);
    const bytes = file.read();
    const wholeBytes = bytes.lastIndexOf(lineEnd) + 1;
    const whole = Buffer.from(bytes.subarray(0, wholeBytes));
    const isAgain = whole.subarray(-line.length).equals(line);
    const keptBytes = isAgain ? wholeBytes - line.length : wholeBytes;
    if (keptBytes < bytes.length) file.truncate(keptBytes);
    return new JournalFile(file);
  }
}
