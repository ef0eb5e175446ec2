// Deaths are images: the folder as it is at that instant, copied, which is what kill -9 leaves.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { appendFileSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program, ProgramRun, Statement } from "../store.ts";
import { Connection } from "./connection.ts";
import { Journal } from "./journal.ts";

const notes: Program = {
  steps: [{ list: "notes", sql: "insert into note (text) values (?)" }],
};
const versions = [
  [
    "create table journal_state (sequence integer not null) strict",
    "insert into journal_state (sequence) values (0)",
    "create table note (id integer primary key, text text not null unique) strict",
  ],
];

function note(text: string): ProgramRun {
  return { program: "notes", document: JSON.stringify({ notes: [[text]] }) };
}

function statement(sql: string): Statement {
  return { sql, parameters: [] };
}

/** Folders with a database and its journal, removed at the end with everything in them. */
class Bench implements Disposable {
  readonly #root = mkdtempSync(join(tmpdir(), "sluice-journal-"));
  readonly #opened = new Set<Journal>();
  #folderCount = 0;
  #folder = this.#next();

  open(): Journal {
    const { databasePath, journalPath } = this;
    const journal = new Journal({ databasePath, journalPath, programs: { notes }, versions });
    this.#opened.add(journal);
    return journal;
  }

  shut(journal: Journal): void {
    this.#opened.delete(journal);
    journal.close();
  }

  get databasePath(): string {
    return join(this.#folder, "db");
  }

  get journalPath(): string {
    return join(this.#folder, "log");
  }

  /** From here on the folder is what a death at this instant leaves. */
  die(): void {
    const from = this.#folder;
    this.#folder = this.#next();
    cpSync(from, this.#folder, { recursive: true });
  }

  shown(): unknown[] {
    const connection = new Connection({ path: this.databasePath, readOnly: true });
    try {
      return connection.all(statement("select text from note order by id")).map(({ text }) => text);
    } finally {
      connection.close();
    }
  }

  [Symbol.dispose](): void {
    for (const journal of this.#opened) journal.close();
    rmSync(this.#root, { recursive: true });
  }

  #next(): string {
    const folder = join(this.#root, String(++this.#folderCount));
    mkdirSync(folder);
    return folder;
  }
}

describe("appending", () => {
  test("shows in the database once it is applied", async () => {
    using bench = new Bench();
    const journal = bench.open();
    await journal.append(note("one"), false);
    await journal.append(note("two"), true);
    expect(bench.shown()).toEqual([]);
    journal.apply();
    expect(bench.shown()).toEqual(["one", "two"]);
    journal.apply();
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("survives a death before it is applied", async () => {
    using bench = new Bench();
    const journal = bench.open();
    await journal.append(note("one"), false);
    await journal.append(note("two"), false);
    bench.die();
    bench.open();
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("survives a death in the middle of a later write", async () => {
    using bench = new Bench();
    await bench.open().append(note("one"), false);
    bench.die();
    appendFileSync(bench.journalPath, "4f2a 2 notes {");
    bench.open();
    expect(bench.shown()).toEqual(["one"]);
  });

  test("counts once when the process dies between commit and clearing", async () => {
    using bench = new Bench();
    const journal = bench.open();
    await journal.append(note("one"), false);
    const kept = `${bench.journalPath}.kept`;
    copyFileSync(bench.journalPath, kept);
    journal.apply();
    bench.die();
    copyFileSync(kept, bench.journalPath);
    const next = bench.open();
    expect(bench.shown()).toEqual(["one"]);
    await next.append(note("two"), false);
    bench.die();
    bench.open();
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("shows after an orderly end", async () => {
    using bench = new Bench();
    const journal = bench.open();
    await journal.append(note("one"), false);
    bench.shut(journal);
    expect(bench.shown()).toEqual(["one"]);
    bench.open();
    expect(bench.shown()).toEqual(["one"]);
  });
});

describe("committing", () => {
  test("comes behind everything appended before, and returns the rows", async () => {
    using bench = new Bench();
    const journal = bench.open();
    await journal.append(note("one"), false);
    const rows = journal.commit(undefined, [
      statement("insert into note (text) values ('two') returning id"),
      statement("select count(*) as count from note"),
    ]);
    expect(rows).toEqual([[{ id: 2 }], [{ count: 2 }]]);
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("that fails takes nothing with it", async () => {
    using bench = new Bench();
    const journal = bench.open();
    await journal.append(note("one"), false);
    const twice = statement("insert into note (text) values ('two'), ('two')");
    expect(() => journal.commit(undefined, [twice])).toThrow("UNIQUE");
    expect(bench.shown()).toEqual([]);
    bench.die();
    bench.open();
    expect(bench.shown()).toEqual(["one"]);
  });

  test("runs a program with its statements", () => {
    using bench = new Bench();
    bench.open().commit(note("one"), [statement("insert into note (text) values ('two')")]);
    expect(bench.shown()).toEqual(["one", "two"]);
  });
});

test("any mix of appends, commits and deaths keeps every record once and in order", async () => {
  const deed = fc.constantFrom("append", "append", "append", "sync", "apply", "commit", "die");
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 30 }), async (deeds) => {
      using bench = new Bench();
      const expected: string[] = [];
      let journal = bench.open();
      for (const [at, one] of [...deeds, "die"].entries()) {
        const text = `note ${at}`;
        if (one === "append" || one === "sync") await journal.append(note(text), one === "sync");
        if (one === "apply") journal.apply();
        if (one === "commit") {
          journal.commit(undefined, [statement(`insert into note (text) values ('${text}')`)]);
        }
        if (one === "append" || one === "sync" || one === "commit") expected.push(text);
        if (one !== "die") continue;
        bench.die();
        journal = bench.open();
        expect(bench.shown()).toEqual(expected);
      }
    }),
    { numRuns: 40 },
  );
}, 30_000);
