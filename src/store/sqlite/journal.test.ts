// Deaths are images: the folder as it is at that instant, copied, which is what kill -9 leaves.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemTimers, type Timers } from "../../core/clock.ts";
import type { Program } from "../step.ts";
import { StoreError, type ProgramRun, type Statement } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { openDiskFolder, type DiskFile } from "./disk-file.ts";
import { decodeRecords, encodeRecord } from "./journal-line.ts";
import { Journal, journalFileNames, type JournalDatabase } from "./journal.ts";
import type { JournalLog } from "./log-taker.ts";
import { rejectedFileName } from "./rejected-records.ts";

const notes: Program = [
  { list: "notes", table: "note", columns: ["text"], action: { kind: "insert" } },
];
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

function textOf({ document }: ProgramRun): string {
  const { notes: [[text = ""] = []] = [] }: Record<string, string[][]> = JSON.parse(document);
  return text;
}

function statement(sql: string): Statement {
  return { sql, parameters: [] };
}

/** Timers that nothing waits for: what the journal does by itself stays out of the test. */
const stillTimers: Timers = { after: () => () => undefined, every: () => () => undefined };

interface Setting {
  timers?: Timers;
  /** Differences of the files. */
  files?(file: DiskFile, name: string): Partial<DiskFile>;
  /** The log, which is written at once if it is not said otherwise. */
  log?: Partial<JournalLog>;
  /** Replacement for a commit. */
  commit?(commit: JournalDatabase["commit"]): JournalDatabase["commit"];
}

/** Folders with a database and its journal, removed at the end with everything in them. */
class Bench implements Disposable {
  readonly rejected: { text: string; kind: string }[] = [];
  readonly orphaned: string[] = [];
  readonly damaged: string[] = [];
  readonly #root = fs.mkdtempSync(join(tmpdir(), "sluice-journal-"));
  readonly #connections: SqliteConnection[] = [];
  #folderCount = 0;
  folder = this.#next();

  open({ timers = stillTimers, files, log, commit }: Setting = {}): Promise<Journal> {
    const connection = new SqliteConnection({ path: this.#databasePath, programs: { notes } });
    this.#connections.push(connection);
    connection.migrate(versions);
    const [state] = connection.all(statement("select sequence from journal_state"));
    const disk = openDiskFolder(this.folder);
    const commitNow: JournalDatabase["commit"] = async (runs, statements) =>
      connection.commit(runs, statements, true);
    return Journal.open({
      folder: {
        open: (name) => {
          const file = disk.open(name);
          return { ...file, ...files?.(file, name) };
        },
      },
      database: { commit: commit ? commit(commitNow) : commitNow },
      log: {
        commit: async () => [],
        appliedSequence: Number(state?.["sequence"]),
        faulted: () => undefined,
        lost: () => undefined,
        ...log,
      },
      appliedSequence: Number(state?.["sequence"]),
      timers,
      rejected: (run, { kind }) => this.rejected.push({ text: textOf(run), kind }),
      orphaned: (run) => this.orphaned.push(textOf(run)),
      damaged: ({ message }) => this.damaged.push(message),
    });
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  /** From here on the folder is what a death at this instant leaves. */
  die(): void {
    const from = this.folder;
    this.folder = this.#next();
    fs.cpSync(from, this.folder, { recursive: true });
  }

  shown(): unknown[] {
    const connection = new SqliteConnection({ path: this.#databasePath, readOnly: true });
    try {
      return connection.all(statement("select text from note order by id")).map(({ text }) => text);
    } finally {
      connection.close();
    }
  }

  /** The texts of the records that a file holds. */
  held(name: string): string[] {
    if (!fs.existsSync(this.path(name))) return [];
    return decodeRecords(fs.readFileSync(this.path(name))).map(({ run }) => run.document);
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections) connection.close();
    fs.rmSync(this.#root, { recursive: true, force: true });
  }

  get #databasePath(): string {
    return this.path("db");
  }

  #next(): string {
    const folder = join(this.#root, String(++this.#folderCount));
    fs.mkdirSync(folder);
    return folder;
  }
}

const [fileA, fileB] = journalFileNames;

describe("appending", () => {
  test("shows in the database once it is applied", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    await journal.append(note("one"), false);
    await journal.append(note("two"), true);
    expect(bench.shown()).toEqual([]);
    await journal.apply();
    expect(bench.shown()).toEqual(["one", "two"]);
    await journal.apply();
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("is applied before long without being asked to", async () => {
    using bench = new Bench();
    const applied = Promise.withResolvers<void>();
    const journal = await bench.open({
      timers: systemTimers,
      commit: (commit) => async (runs, statements) => {
        const rows = await commit(runs, statements);
        if (runs.length > 0) applied.resolve();
        return rows;
      },
    });
    await journal.append(note("one"), false);
    await applied.promise;
    expect(bench.shown()).toEqual(["one"]);
  });

  test("survives a death before it is applied", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    await journal.append(note("one"), false);
    await journal.append(note("two"), false);
    bench.die();
    await bench.open();
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("survives a death in the middle of a later write, and so does what comes then", async () => {
    using bench = new Bench();
    await (await bench.open()).append(note("one"), false);
    bench.die();
    fs.appendFileSync(bench.path(fileA), '1234abcd 2 notes {"no');
    const journal = await bench.open();
    expect(bench.shown()).toEqual(["one"]);
    await journal.append(note("two"), false);
    await journal.append(note("three"), false);
    bench.die();
    await bench.open();
    expect(bench.shown()).toEqual(["one", "two", "three"]);
  });

  test("counts once when the process dies between commit and clearing", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    await journal.append(note("one"), false);
    const kept = fs.readFileSync(bench.path(fileA));
    await journal.apply();
    bench.die();
    fs.writeFileSync(bench.path(fileA), kept);
    const next = await bench.open();
    expect(bench.shown()).toEqual(["one"]);
    await next.append(note("two"), false);
    bench.die();
    await bench.open();
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("goes into the other file while the database takes the first one over", async () => {
    using bench = new Bench();
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const journal = await bench.open({
      commit: (commit) => async (runs, statements) => {
        started.resolve();
        await gate.promise;
        return await commit(runs, statements);
      },
    });
    await journal.append(note("one"), false);
    const applied = journal.apply();
    await started.promise;
    await journal.append(note("two"), false);
    expect([bench.held(fileA).length, bench.held(fileB).length]).toEqual([1, 1]);
    gate.resolve();
    await applied;
    // It is let go of when the log has it, too.
    expect([bench.held(fileA).length, bench.held(fileB).length]).toEqual([1, 1]);
    await journal.applyLog();
    expect([bench.held(fileA).length, bench.held(fileB).length]).toEqual([0, 0]);
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("shows after an orderly end, and is refused then", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    await journal.append(note("one"), false);
    await journal.close();
    expect(bench.shown()).toEqual(["one"]);
    await expect(journal.append(note("late"), true)).rejects.toMatchObject({ kind: "closed" });
    await bench.open();
    expect(bench.shown()).toEqual(["one"]);
  });

  test("to a full disk is refused whole, and works once there is room", async () => {
    using bench = new Bench();
    let room = 10;
    const journal = await bench.open({
      files: (file) => ({
        write(bytes) {
          const taken = Math.min(room, bytes.length);
          room -= taken;
          if (taken === 0) {
            throw Object.defineProperty(new Error("no space"), "code", { value: "ENOSPC" });
          }
          return file.write(bytes.subarray(0, taken));
        },
      }),
    });
    await expect(journal.append(note("one"), false)).rejects.toMatchObject({ kind: "full" });
    expect(fs.readFileSync(bench.path(fileA)).length).toBe(0);
    room = 1000;
    await journal.append(note("one"), false);
    bench.die();
    await bench.open();
    expect(bench.shown()).toEqual(["one"]);
  });

  test("that failed and cannot be taken back gives its number to nobody else", async () => {
    using bench = new Bench();
    let isFull = false;
    let isStuck = false;
    const journal = await bench.open({
      files: ({ write, truncate }) => ({
        write(bytes) {
          if (!isFull) return write(bytes);
          // All but the end of the line, which makes it a record.
          write(bytes.subarray(0, -1));
          throw new Error("full");
        },
        truncate(toBytes) {
          if (isStuck) throw new Error("stuck");
          truncate(toBytes);
        },
      }),
    });
    await journal.append(note("one"), false);
    [isFull, isStuck] = [true, true];
    await expect(journal.append(note("two"), false)).rejects.toThrow("full");
    isFull = false;
    await journal.apply();
    await expect(journal.append(note("other"), false)).rejects.toThrow("stuck");
    isStuck = false;
    await journal.append(note("other"), false);
    bench.die();
    await bench.open();
    expect(bench.shown()).toEqual(["one", "other"]);
    expect(bench.rejected).toEqual([]);
  });
});

describe("a sync", () => {
  test("covers what was written before into the other file, and first", async () => {
    using bench = new Bench();
    const order: string[] = [];
    const started = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const journal = await bench.open({
      files: (file, name) => ({
        sync: async () => {
          order.push(name);
          await file.sync();
        },
      }),
      commit: (commit) => async (runs, statements) => {
        started.resolve();
        await gate.promise;
        return await commit(runs, statements);
      },
    });
    await journal.append(note("one"), false);
    order.length = 0;
    // The first is synced before the database takes it over.
    const applied = journal.apply();
    await started.promise;
    await journal.append(note("two"), true);
    expect(order).toEqual([fileA, fileB]);
    gate.resolve();
    await applied;
  });

  test("that fails does not refuse the record, which the database then syncs", async () => {
    using bench = new Bench();
    let isBroken = false;
    const journal = await bench.open({
      files: (file) => ({
        sync: () => (isBroken ? Promise.reject(new Error("unwritable")) : file.sync()),
      }),
    });
    isBroken = true;
    await journal.append(note("one"), true);
    expect(bench.shown()).toEqual(["one"]);
  });

  test("that failed is not tried again: the database is, until it can", async () => {
    using bench = new Bench();
    let syncs = 0;
    let refusals = 0;
    const journal = await bench.open({
      timers: { ...stillTimers, after: later },
      files: (file, name) => ({
        sync: () => (name === fileA && ++syncs > 1 ? Promise.reject(new Error("no")) : file.sync()),
      }),
      commit: (commit) => async (runs, statements) => {
        if (++refusals < 4) throw new StoreError("full", "full");
        return await commit(runs, statements);
      },
    });
    await journal.append(note("one"), true);
    // One sync at the start, and the one that failed.
    expect(syncs).toBe(2);
    expect(bench.shown()).toEqual(["one"]);
  });
});

function later(_delayMs: number, run: () => void): () => void {
  queueMicrotask(run);
  return () => undefined;
}

describe("a record that the database does not take", () => {
  test("is set aside and told, and all others go on in their order", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    const texts = ["a", "b", "a", "c", "d", "b", "e"];
    for (const text of texts) await journal.append(note(text), false);
    await journal.apply();
    expect(bench.shown()).toEqual(["a", "b", "c", "d", "e"]);
    expect(bench.rejected).toEqual([
      { text: "a", kind: "constraint" },
      { text: "b", kind: "constraint" },
    ]);
    expect(bench.held(rejectedFileName)).toEqual([note("a").document, note("b").document]);
    await journal.append(note("f"), true);
    await journal.apply();
    expect(bench.shown()).toEqual(["a", "b", "c", "d", "e", "f"]);
  });

  test("does not keep the next process from starting", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    for (const text of ["same", "same", "next"]) await journal.append(note(text), true);
    bench.die();
    await bench.open();
    expect(bench.shown()).toEqual(["same", "next"]);
    expect(bench.rejected.map(({ text }) => text)).toEqual(["same"]);
    bench.die();
    await bench.open();
    expect(bench.rejected.length).toBe(1);
  });

  test("is set aside once, however often the process dies over it", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    await journal.append(note("same"), false);
    await journal.append(note("same"), false);
    for (let death = 0; death < 3; death++) {
      bench.die();
      const opened = bench.open({
        commit: (commit) => (runs, statements) =>
          runs.length === 0
            ? Promise.reject(new StoreError("closed", "the process died here"))
            : commit(runs, statements),
      });
      await expect(opened).rejects.toThrow("died here");
    }
    bench.die();
    fs.appendFileSync(bench.path(rejectedFileName), "77 torn");
    await bench.open();
    expect(bench.held(rejectedFileName)).toEqual([note("same").document]);
    expect(bench.shown()).toEqual(["same"]);
  });
});

describe("lines that were damaged after they were written", () => {
  test("are kept aside and told, and the rest goes on", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    for (const text of ["one", "two", "three"]) await journal.append(note(text), true);
    bench.die();
    const text = fs.readFileSync(bench.path(fileA), "utf8").replace("two", "tvo");
    const lines = text.replace("three", "thsee").split("\n").slice(1);
    fs.writeFileSync(bench.path(fileA), text.replace("three", "thsee"));
    const next = await bench.open();
    expect(bench.shown()).toEqual(["one"]);
    expect(bench.damaged).toEqual([
      "record 2 of the journal is damaged",
      "record 3 of the journal is damaged",
    ]);
    expect(fs.readFileSync(bench.path(rejectedFileName), "utf8")).toBe(lines.join("\n"));
    await next.append(note("four"), true);
    bench.die();
    await bench.open();
    expect(bench.shown()).toEqual(["one", "four"]);
    expect(bench.damaged).toHaveLength(2);
  });

  test("make what another file has behind them stand behind a gap", async () => {
    using bench = new Bench();
    await (await bench.open()).append(note("one"), true);
    bench.die();
    const line = encodeRecord({ sequence: 2, run: note("two") }).toString();
    fs.appendFileSync(bench.path(fileA), line.replace("two", "tow"));
    fs.writeFileSync(bench.path(fileB), encodeRecord({ sequence: 3, run: note("three") }));
    await bench.open();
    expect(bench.shown()).toEqual(["one"]);
    expect(bench.damaged).toHaveLength(1);
    expect(bench.orphaned).toEqual(["three"]);
  });
});

describe("pages that power kept from the disk", () => {
  const lines = ["one", "two", "three"].map((text, at) =>
    encodeRecord({ sequence: at + 1, run: note(text) }),
  );
  const bytes = Buffer.concat(lines);
  const ends = lines.map((_, at) => Buffer.concat(lines.slice(0, at + 1)).length);

  test("wherever they are, take what they have with them, and neither the start nor the rest", async () => {
    for (let from = 0; from < bytes.length; from += 7) {
      for (const length of [2, 50, bytes.length]) {
        const to = Math.min(from + length, bytes.length);
        using bench = new Bench();
        fs.writeFileSync(bench.path(fileA), Buffer.from(bytes).fill(0, from, to));
        const journal = await bench.open();
        const whole = ends.filter((end) => end <= from).length;
        const behind = ends.filter((end) => end - (lines[0]?.length ?? 0) >= to).length;
        const kept = ["one", "two", "three"].slice(0, whole);
        expect(bench.shown()).toEqual(kept);
        expect([bench.damaged, bench.rejected]).toEqual([[], []]);
        expect(bench.orphaned.length).toBeLessThanOrEqual(behind + 1);
        expect(bench.held(rejectedFileName)).toHaveLength(bench.orphaned.length);
        await journal.append(note("next"), true);
        await journal.apply();
        expect(bench.shown()).toEqual([...kept, "next"]);
      }
    }
  });
});

describe("a database that is full", () => {
  test("gets its records later, in their order", async () => {
    using bench = new Bench();
    let isFull = true;
    const journal = await bench.open({
      commit: (commit) => (runs, statements) =>
        isFull && runs.length > 0
          ? Promise.reject(new StoreError("full", "full"))
          : commit(runs, statements),
    });
    await journal.append(note("one"), false);
    await expect(journal.apply()).rejects.toThrow("full");
    await expect(journal.commit([statement("select 1")])).rejects.toThrow("full");
    isFull = false;
    await journal.append(note("two"), false);
    await journal.apply();
    expect(bench.shown()).toEqual(["one", "two"]);
    expect(bench.rejected).toEqual([]);
  });
});

test("what power left behind a gap is set aside, and its number is given anew", async () => {
  using bench = new Bench();
  await (await bench.open()).append(note("one"), false);
  bench.die();
  fs.writeFileSync(bench.path(fileB), encodeRecord({ sequence: 3, run: note("three") }));
  const journal = await bench.open();
  expect(bench.shown()).toEqual(["one"]);
  expect([bench.orphaned, bench.rejected]).toEqual([["three"], []]);
  expect(bench.held(rejectedFileName)).toEqual([note("three").document]);
  for (const text of ["two", "third"]) await journal.append(note(text), false);
  bench.die();
  await bench.open();
  expect(bench.shown()).toEqual(["one", "two", "third"]);
});

test("what power left behind a gap is gone for good before its number is given anew", async () => {
  using bench = new Bench();
  await (await bench.open()).append(note("one"), false);
  bench.die();
  const lost = encodeRecord({ sequence: 3, run: note("three") });
  fs.writeFileSync(bench.path(fileB), lost);
  // Until a sync says so, a file that was emptied is as it was when power is lost again.
  const emptied = new Map<string, Buffer>();
  const journal = await bench.open({
    files: (file, name) => ({
      truncate: (toBytes) => {
        emptied.set(name, Buffer.from(file.read()));
        file.truncate(toBytes);
      },
      sync: async () => {
        await file.sync();
        emptied.delete(name);
      },
    }),
  });
  await journal.append(note("two"), true);
  bench.die();
  for (const [name, bytes] of emptied) fs.writeFileSync(bench.path(name), bytes);
  await bench.open();
  expect(bench.shown()).toEqual(["one", "two"]);
});

describe("committing", () => {
  test("comes behind everything appended before, and returns the rows", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    await journal.append(note("one"), false);
    const rows = await journal.commit([
      statement("insert into note (text) values ('two') returning id"),
      statement("select count(*) as count from note"),
    ]);
    expect(rows).toEqual([[{ id: 2 }], [{ count: 2 }]]);
    expect(bench.shown()).toEqual(["one", "two"]);
  });

  test("that fails takes nothing with it", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    await journal.append(note("one"), false);
    const twice = statement("insert into note (text) values ('two'), ('two')");
    await expect(journal.commit([twice])).rejects.toThrow("UNIQUE");
    expect(bench.shown()).toEqual(["one"]);
    expect(bench.rejected).toEqual([]);
  });

  test("runs a program with its statements", async () => {
    using bench = new Bench();
    const journal = await bench.open();
    await journal.commit([statement("insert into note (text) values ('two')")], note("one"));
    expect(bench.shown()).toEqual(["one", "two"]);
  });
});

test("any mix of appends, commits and deaths keeps every record once and in order", async () => {
  const deed = fc.constantFrom("append", "append", "append", "sync", "apply", "commit", "die");
  await fc.assert(
    fc.asyncProperty(fc.array(deed, { minLength: 5, maxLength: 30 }), async (deeds) => {
      using bench = new Bench();
      const expected: string[] = [];
      let journal = await bench.open();
      for (const [at, one] of [...deeds, "die"].entries()) {
        const text = `note ${at}`;
        if (one === "append" || one === "sync") await journal.append(note(text), one === "sync");
        if (one === "apply") await journal.apply();
        if (one === "commit") {
          await journal.commit([statement(`insert into note (text) values ('${text}')`)]);
        }
        if (one === "append" || one === "sync" || one === "commit") expected.push(text);
        if (one !== "die") continue;
        bench.die();
        journal = await bench.open();
        expect(bench.shown()).toEqual(expected);
      }
    }),
    { numRuns: 40 },
  );
}, 30_000);

describe("the log", () => {
  const logged = (text: string): ProgramRun => ({ ...note(text), logged: `log of ${text}` });

  /** A log that remembers what it took, and can be out of order. */
  function openLog() {
    const state = { documents: [] as string[], sequence: 0, isBroken: false, told: [] as string[] };
    const log: JournalLog = {
      appliedSequence: 0,
      async commit(documents, [advance]) {
        if (state.isBroken) throw new StoreError("full", "there is no space left");
        state.documents.push(...documents);
        state.sequence = Number(advance?.parameters[0]);
      },
      faulted: (error) => state.told.push(error ? error.kind : "well"),
      lost: (count) => state.told.push(`lost ${count}`),
    };
    return { state, log };
  }

  test("takes what the database has, in order and once", async () => {
    using bench = new Bench();
    const { state, log } = openLog();
    const journal = await bench.open({ log });
    await journal.append(logged("one"), false);
    await journal.append(note("plain"), false);
    await journal.append(logged("two"), false);
    expect(state.documents).toEqual([]);
    await journal.applyLog();
    await journal.applyLog();
    expect(state).toMatchObject({ documents: ["log of one", "log of two"], sequence: 3 });
    await journal.close();
  });

  test("that cannot be written holds up nothing, and has it from the files of a dead process", async () => {
    using bench = new Bench();
    const { state, log } = openLog();
    state.isBroken = true;
    const journal = await bench.open({ log });
    await journal.append(logged("one"), true);
    await journal.applyLog();
    await journal.append(logged("two"), true);
    await journal.applyLog();
    expect(bench.shown()).toEqual(["one", "two"]);
    expect(state).toMatchObject({ documents: [], told: ["full"] });
    // The next process finds it broken still, and goes on; the one after that does not.
    bench.die();
    await bench.open({ log });
    bench.die();
    state.isBroken = false;
    const last = await bench.open({ log });
    expect(state.documents).toEqual(["log of one", "log of two"]);
    expect([bench.held(fileA), bench.held(fileB)]).toEqual([[], []]);
    await last.close();
  });

  test("has nothing of a record that the database refused, whoever takes it over", async () => {
    using bench = new Bench();
    const { state, log } = openLog();
    state.isBroken = true;
    const journal = await bench.open({ log });
    for (const text of ["one", "one", "two"]) await journal.append(logged(text), false);
    await journal.applyLog();
    expect(bench.rejected).toHaveLength(1);
    bench.die();
    state.isBroken = false;
    await (await bench.open({ log })).close();
    expect(state.documents).toEqual(["log of one", "log of two"]);
  });

  test("goes on without what is too much to keep, and that is told", async () => {
    using bench = new Bench();
    const { state, log } = openLog();
    state.isBroken = true;
    const journal = await bench.open({ log });
    const large = "x".repeat(33 * 1024 * 1024);
    for (const text of ["one", "two"]) {
      await journal.append({ ...note(text), logged: large }, false);
    }
    await journal.applyLog();
    expect(state.told).toEqual(["full", "lost 2"]);
    expect([bench.held(fileA), bench.held(fileB)]).toEqual([[], []]);
    state.isBroken = false;
    await journal.append(logged("three"), false);
    await journal.applyLog();
    expect(state).toMatchObject({ documents: ["log of three"], told: ["full", "lost 2", "well"] });
    await journal.close();
  });
});
