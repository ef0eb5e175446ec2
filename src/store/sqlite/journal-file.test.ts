import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeRecord, JournalFile, readJournal, type JournalRecord } from "./journal-file.ts";

function openFolder(): { journal: string } & Disposable {
  const folder = mkdtempSync(join(tmpdir(), "sluice-journal-"));
  const dispose = () => rmSync(folder, { recursive: true });
  return { journal: join(folder, "journal.log"), [Symbol.dispose]: dispose };
}

function record(sequence: number, text: string): JournalRecord {
  return { sequence, run: { program: "notes", document: JSON.stringify({ notes: [[text]] }) } };
}

const three = [record(1, "one"), record(2, 'two\n"lines"\\'), record(3, "drei \u{1f600} äöü")];

describe("the journal's file", () => {
  test("gives back what was appended, in order", () => {
    using folder = openFolder();
    const file = new JournalFile(folder.journal);
    for (const one of three) file.append(one);
    expect(readJournal(folder.journal)).toEqual(three);
    file.close();
  });

  test("gives back any text", () => {
    using folder = openFolder();
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 8 }), (texts) => {
        const records = texts.map((text, at) => record(at + 1, text));
        writeFileSync(folder.journal, records.map(encodeRecord).join(""));
        expect(readJournal(folder.journal)).toEqual(records);
      }),
      { numRuns: 300 },
    );
  });

  test("counts its bytes, and is empty once it is cleared", () => {
    using folder = openFolder();
    const file = new JournalFile(folder.journal);
    for (const one of three) file.append(one);
    expect(file.bytes).toBe(readFileSync(folder.journal).length);
    file.clear();
    expect([file.bytes, readFileSync(folder.journal).length]).toEqual([0, 0]);
    file.append(record(4, "four"));
    expect(readJournal(folder.journal)).toEqual([record(4, "four")]);
    file.close();
  });

  test("can be synced at any time", async () => {
    using folder = openFolder();
    const file = new JournalFile(folder.journal);
    await file.sync();
    file.append(record(1, "one"));
    await file.sync();
    file.close();
    await expect(file.sync()).rejects.toThrow();
  });

  test("is nobody else's to read", () => {
    using folder = openFolder();
    new JournalFile(folder.journal).close();
    expect(statSync(folder.journal).mode & 0o077).toBe(0);
  });
});

describe("a journal that was cut short", () => {
  test("at any byte, keeps every record before the cut", () => {
    using folder = openFolder();
    const lines = three.map((one) => Buffer.from(encodeRecord(one)));
    const bytes = Buffer.concat(lines);
    for (let cut = 0; cut <= bytes.length; cut++) {
      writeFileSync(folder.journal, bytes.subarray(0, cut));
      let end = 0;
      // A record is whole even when only the end of its line is missing.
      const whole = lines.filter((line) => (end += line.length) - 1 <= cut).length;
      expect(readJournal(folder.journal)).toEqual(three.slice(0, whole));
    }
  });

  test("in the middle is damaged, and says so instead of losing what follows", () => {
    using folder = openFolder();
    const [one = "", two = "", last = ""] = three.map(encodeRecord);
    for (const middle of [two.slice(0, 20) + "\n", two.replace("two", "tow"), "\0".repeat(50)]) {
      writeFileSync(folder.journal, `${one}${middle}\n${last}`);
      expect(() => readJournal(folder.journal)).toThrow("damaged");
    }
  });
});
