// A record of the journal as a line: a checksum, a number, and what is to be run.
import { StoreError, type ProgramRun } from "../store.ts";

export interface JournalRecord {
  sequence: number;
  run: ProgramRun;
}

const tab = 9;
const lineEnd = 10;
/** Zeros of a page that never reached the disk; a text has none, and a flipped bit makes one. */
const unwritten = Buffer.of(0, 0);
/** A tab between the documents and the line's end. */
const lineMarks = 2;
/** UTF-8: a bound will do, so that a line need not be measured before it is written. */
const bytesOfCharacterMax = 3;
/** A checksum of eight digits at most, and the space behind it. */
const sumBytesMax = 9;
/** Usual size of a line; one that takes more is not kept for the next. */
const usualBytes = 256 * 1024;

/**
 * Puts lines together, one after the other in the same bytes. As a text a line of 20 kB would be
 * copied twice on its way, and be garbage then: that took four times as long.
 */
export class LineBuffer {
  #bytes = Buffer.alloc(0);

  /** Good until the next one. */
  encode({ sequence, run: { program, document, logged } }: JournalRecord): Buffer {
    const head = `${sequence} ${program} `;
    const characters = head.length + document.length + (logged?.length ?? 0) + lineMarks;
    const line = this.#reserve(characters * bytesOfCharacterMax);
    let end = sumBytesMax + line.write(head, sumBytesMax, "latin1");
    end += line.write(document, end);
    if (logged !== undefined) {
      // A document is JSON, in which no tab stands as itself.
      line[end++] = tab;
      end += line.write(logged, end);
    }
    const sum = `${checksum(line.subarray(sumBytesMax, end))} `;
    const start = sumBytesMax - sum.length;
    line.write(sum, start, "latin1");
    line[end] = lineEnd;
    return line.subarray(start, end + 1);
  }

  #reserve(textBytes: number): Buffer {
    const bytes = sumBytesMax + textBytes;
    if (bytes > usualBytes) return Buffer.allocUnsafe(bytes);
    if (bytes > this.#bytes.length) this.#bytes = Buffer.allocUnsafe(usualBytes);
    return this.#bytes;
  }
}

export function encodeRecord(record: JournalRecord): Buffer {
  return Buffer.from(new LineBuffer().encode(record));
}

const decoder = new TextDecoder();

/** The bytes of a file, line by line. */
interface DecodedLines {
  records: JournalRecord[];
  /** Whole lines at the end whose sum is wrong: somebody may have been answered for them. */
  damaged: Uint8Array[];
  /** The first of those that lay in pages which power kept from the disk, if others are behind. */
  gapAt: number | null;
  /** End of the last line; behind it is what a write that was cut short left. */
  wholeBytes: number;
}

/**
 * The records in order. Only what has no line's end is torn: that one was never answered. A hole is
 * torn as well, since no sync covers it; what stands behind it lacks a number. Damage with records
 * behind it is thrown, because those rest on what is lost.
 */
export function decodeLines(bytes: Uint8Array): DecodedLines {
  const records: JournalRecord[] = [];
  const damaged: Uint8Array[] = [];
  let holeAt: number | null = null;
  let gapAt: number | null = null;
  let at = 0;
  let wholeBytes = 0;
  for (let end = bytes.indexOf(lineEnd); end >= 0; end = bytes.indexOf(lineEnd, at)) {
    const line = bytes.subarray(at, end);
    at = end + 1;
    if (line.length === 0) continue;
    if (isUnwritten(line)) {
      holeAt ??= records.length + 1;
      continue;
    }
    wholeBytes = at;
    const record = decodeRecord(decoder.decode(line));
    if (!record) damaged.push(line);
    else if (damaged.length > 0) throw damageOf(records.length + 1);
    else {
      gapAt ??= holeAt;
      records.push(record);
    }
  }
  // A record with something else in the place of its line's end was whole.
  const tail = bytes.subarray(at);
  const isPageMissing = tail.at(-1) === 0;
  if (!isPageMissing && decodeRecord(decoder.decode(tail.subarray(0, -1)))) damaged.push(tail);
  return { records, damaged, gapAt, wholeBytes };
}

function isUnwritten(line: Uint8Array): boolean {
  return Buffer.from(line.buffer, line.byteOffset, line.length).includes(unwritten);
}

/** The records of a file in which every whole line has to be sound. */
export function decodeRecords(bytes: Uint8Array): JournalRecord[] {
  const { records, damaged, gapAt } = decodeLines(bytes);
  if (gapAt !== null) throw damageOf(gapAt);
  if (damaged.length > 0) throw damageOf(records.length + 1);
  return records;
}

export function damageOf(position: number): StoreError {
  return new StoreError("other", `record ${position} of the journal is damaged`);
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

function checksum(text: string | Uint8Array): string {
  return Bun.hash.crc32(text).toString(16);
}
