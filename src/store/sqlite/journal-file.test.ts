import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDiskFolder, type DiskFile } from "./disk-file.ts";
import { JournalFile } from "./journal-file.ts";
import { decodeLines, decodeRecords, encodeRecord, type JournalRecord } from "./journal-line.ts";

interface Folder extends Disposable {
  path: string;
  /** The journal's file, with something different about it. */
  open(changes?: (file: DiskFile) => Partial<DiskFile>): JournalFile;
  read(): JournalRecord[];
}

function openFolder(): Folder {
  const folder = mkdtempSync(join(tmpdir(), "sluice-journal-"));
  const path = join(folder, "journal.log");
  return {
    path,
    open(changes = () => ({})) {
      const file = openDiskFolder(folder).open("journal.log");
      return new JournalFile({ ...file, ...changes(file) });
    },
    read: () => decodeRecords(readFileSync(path)),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function record(sequence: number, text: string): JournalRecord {
  return { sequence, run: { program: "notes", document: JSON.stringify({ notes: [[text]] }) } };
}

const three = [record(1, "one"), record(2, 'two\n"lines"\\'), record(3, "drei \u{1f600} äöü")];

describe("the journal's file", () => {
  test("gives back what was appended, in order", () => {
    using folder = openFolder();
    const file = folder.open();
    for (const one of three) file.append(one);
    expect(folder.read()).toEqual(three);
    expect(folder.open().read()).toEqual({ records: three, damaged: [] });
    file.close();
  });

  test("gives back any text", () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const records = texts.map((one, at) => record(at + 1, one));
        expect(decodeRecords(Buffer.concat(records.map(encodeRecord)))).toEqual(records);
      }),
      { numRuns: 300 },
    );
  });

  test("gives back the separators that JSON leaves as they are", () => {
    const records = [record(1, "top-up\u2028for\u2029June\u0085"), record(2, "next")];
    expect(decodeRecords(Buffer.concat(records.map(encodeRecord)))).toEqual(records);
  });

  test("counts its bytes, and is empty once it is cleared", () => {
    using folder = openFolder();
    const file = folder.open();
    for (const one of three) file.append(one);
    expect(file.bytes).toBe(readFileSync(folder.path).length);
    file.clear();
    expect([file.bytes, readFileSync(folder.path).length]).toEqual([0, 0]);
    file.append(record(4, "four"));
    expect(folder.read()).toEqual([record(4, "four")]);
    file.close();
  });

  test("knows what was in it when it was opened", () => {
    using folder = openFolder();
    writeFileSync(folder.path, Buffer.concat(three.map(encodeRecord)));
    const file = folder.open();
    file.read();
    expect([file.bytes, file.lastSequence]).toEqual([statSync(folder.path).size, 3]);
    file.close();
  });

  test("can be synced at any time until it is closed", async () => {
    using folder = openFolder();
    const file = folder.open();
    await file.sync();
    file.append(record(1, "one"));
    await file.sync();
    file.append(record(2, "two"));
    file.close();
    await expect(file.sync()).rejects.toMatchObject({ kind: "closed" });
  });

  test("asks the disk only when there is something new to sync", async () => {
    using folder = openFolder();
    let syncs = 0;
    const file = folder.open(() => ({
      sync: async () => {
        syncs++;
      },
    }));
    await file.sync();
    await file.sync();
    file.append(record(1, "one"));
    await Promise.all([file.sync(), file.sync()]);
    await file.sync();
    expect(syncs).toBe(3);
    file.clear();
    await file.sync();
    await file.sync();
    expect(syncs).toBe(4);
    file.close();
  });

  test("syncs a number anew that is given anew", async () => {
    using folder = openFolder();
    writeFileSync(folder.path, encodeRecord(record(2, "behind a gap")));
    let syncs = 0;
    const file = folder.open(() => ({
      sync: async () => {
        syncs++;
      },
    }));
    file.read();
    file.clear();
    await file.sync();
    for (const one of [record(1, "one"), record(2, "two")]) {
      file.append(one);
      await file.sync();
    }
    expect(syncs).toBe(3);
    file.close();
  });

  test("is nobody else's to read", () => {
    using folder = openFolder();
    folder.open().close();
    expect(statSync(folder.path).mode & 0o077).toBe(0);
  });
});

describe("a write that fails", () => {
  test("leaves nothing behind, even if it can be taken back only later", () => {
    using folder = openFolder();
    let isFull = false;
    let isStuck = false;
    const file = folder.open(({ write, truncate }) => ({
      write(bytes) {
        if (!isFull) return write(bytes);
        write(bytes.subarray(0, 9));
        throw new Error("full");
      },
      truncate(toBytes) {
        if (isStuck) throw new Error("stuck");
        truncate(toBytes);
      },
    }));
    file.append(record(1, "one"));
    [isFull, isStuck] = [true, true];
    expect(() => file.append(record(2, "two"))).toThrow("full");
    isFull = false;
    expect(() => file.append(record(2, "two"))).toThrow("stuck");
    isStuck = false;
    file.append(record(2, "two"));
    expect(folder.read()).toEqual([record(1, "one"), record(2, "two")]);
    file.close();
  });

  test("in pieces is whole", () => {
    using folder = openFolder();
    const file = folder.open(({ write }) => ({ write: (bytes) => write(bytes.subarray(0, 7)) }));
    for (const one of three) file.append(one);
    expect(folder.read()).toEqual(three);
    file.close();
  });
});

test("a sync that failed is not made good by the next one, only by an empty file", async () => {
  using folder = openFolder();
  let isBroken = true;
  const file = folder.open(({ sync }) => ({
    sync: () => (isBroken ? Promise.reject(new Error("unwritable")) : sync()),
  }));
  file.append(record(1, "one"));
  await expect(file.sync()).rejects.toThrow("unwritable");
  isBroken = false;
  await expect(file.sync()).rejects.toMatchObject({ kind: "io" });
  file.clear();
  file.append(record(2, "two"));
  await file.sync();
  expect(folder.read()).toEqual([record(2, "two")]);
  file.close();
});

describe("a journal that was cut short", () => {
  test("at any byte, keeps every record before the cut", () => {
    const lines = three.map(encodeRecord);
    const bytes = Buffer.concat(lines);
    for (let cut = 0; cut <= bytes.length; cut++) {
      let end = 0;
      const whole = lines.filter((line) => (end += line.length) <= cut).length;
      expect(decodeRecords(bytes.subarray(0, cut))).toEqual(three.slice(0, whole));
    }
  });

  test("goes on where its last line ended", () => {
    using folder = openFolder();
    const [one = "", two = ""] = three.map((each) => encodeRecord(each).toString());
    writeFileSync(folder.path, one + two.slice(0, -1));
    const file = folder.open();
    expect(file.read()).toEqual({ records: three.slice(0, 1), damaged: [] });
    file.append(record(2, "anew"));
    expect(folder.read()).toEqual([record(1, "one"), record(2, "anew")]);
    file.close();
  });

  test("by pages that were not written, at any byte, keeps every record before them", () => {
    const lines = three.map(encodeRecord);
    const bytes = Buffer.concat(lines);
    for (let from = 0; from < bytes.length; from++) {
      let end = 0;
      const whole = lines.filter((line) => (end += line.length) <= from).length;
      const found = decodeLines(Buffer.from(bytes).fill(0, from));
      expect(found).toMatchObject({ records: three.slice(0, whole), damaged: [], gapAt: null });
      const { length } = Buffer.concat(lines.slice(0, whole));
      expect(found.wholeBytes).toBe(length);
    }
  });

  test("in the middle is damaged, and says so instead of losing what follows", () => {
    const [one = "", two = "", last = ""] = three.map((each) => encodeRecord(each).toString());
    for (const middle of [two.slice(0, 20) + "\n", two.replace("two", "tow"), "\0".repeat(50)]) {
      const bytes = Buffer.from(`${one}${middle}\n${last}`);
      expect(() => decodeRecords(bytes)).toThrow("damaged");
    }
  });
});

test("a bit that flips in a whole line at the end is damage, also in the line's end, and never a torn line", () => {
  const lines = three.map(encodeRecord);
  const bytes = Buffer.concat(lines);
  const firstBytes = lines[0]?.length ?? 0;
  const untouched = decodeLines(bytes);
  expect(untouched).toMatchObject({ records: three, damaged: [] });
  for (let at = bytes.length - (lines[2]?.length ?? 0); at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[at] = (bytes[at] ?? 0) ^ (1 << bit);
      const { records, damaged } = decodeLines(flipped);
      expect(records).toEqual(three.slice(0, 2));
      expect(damaged.length).toBeGreaterThan(0);
      expect(() => decodeRecords(flipped)).toThrow("record 3 of the journal is damaged");
    }
  }
  // Several of them, and a torn one behind.
  const both = Buffer.concat([bytes, Buffer.from("1234abcd 4 no")]);
  for (const at of [firstBytes + 12, bytes.length - 6]) both[at] = (both[at] ?? 0) ^ 1;
  const { records, damaged } = decodeLines(both);
  expect(records).toEqual(three.slice(0, 1));
  expect(damaged).toHaveLength(2);
});
