import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program } from "../step.ts";
import { StoreError, type ProgramRun, type Statement, type Store } from "../store.ts";
import { SqliteConnection } from "./connection.ts";
import { FolderLocked, isFolderLocked } from "./lock.ts";
import { mainFile, mainVersions, openSqlite } from "./open.ts";

const prices: Program = [
  {
    list: "prices",
    table: "price",
    columns: ["model", "document"],
    action: { kind: "insert", also: { declared: "0" } },
  },
];
const lines: Program = [
  { list: "lines", table: "line", columns: ["text"], action: { kind: "insert" } },
];
const lineTables = [
  "create table line (text text not null) strict",
  "create table journal_state (sequence integer not null, since_ms integer) strict",
  "insert into journal_state (sequence) values (0)",
];
const log = { program: lines, migrations: [() => lineTables] };

function openFolder(): { path: string } & Disposable {
  const root = mkdtempSync(join(tmpdir(), "sluice-store-"));
  const dispose = () => rmSync(root, { recursive: true, force: true });
  return { path: join(root, "data"), [Symbol.dispose]: dispose };
}

function open(folder: string): Promise<Store> {
  return openSqlite({ folder, programs: { prices }, log });
}

function price(model: string): ProgramRun {
  return { program: "prices", document: JSON.stringify({ prices: [[model, "{}"]] }) };
}

function statement(sql: string): Statement {
  return { sql, parameters: [] };
}

function insert(model: string): Statement {
  return statement(`insert into price (model, document, declared) values ('${model}', '', 1)`);
}

/** The kind of the fault that the call ends in. */
async function faultOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return "none";
  } catch (error) {
    return error instanceof StoreError ? error.kind : String(error);
  }
}

async function models(store: Store): Promise<unknown[]> {
  const rows = await store.read(statement("select model from price order by model"));
  return rows.map((row) => row["model"]);
}

describe("a store", () => {
  test("shows a commit to reads as soon as it is done, and returns its rows", async () => {
    using folder = openFolder();
    const store = await open(folder.path);
    try {
      for (let at = 0; at < 20; at++) {
        const counted = statement("select count(*) as count from price");
        expect(await store.commit({ statements: [insert(`m${at}`), counted] })).toEqual([
          [],
          [{ count: at + 1 }],
        ]);
        expect((await store.read(counted))[0]).toEqual({ count: at + 1 });
      }
    } finally {
      await store.close();
    }
  });

  test("shows what was appended to whoever waits for it", async () => {
    using folder = openFolder();
    const store = await open(folder.path);
    try {
      await store.append(price("written"), "written");
      await store.append(price("synced"), "synced");
      await store.applied();
      expect(await models(store)).toEqual(["synced", "written"]);
    } finally {
      await store.close();
    }
  });

  test("keeps its rows when it is closed and opened again", async () => {
    using folder = openFolder();
    const first = await open(folder.path);
    await first.commit({ statements: [insert("committed")] });
    await first.append(price("appended"), "written");
    await first.close();
    const second = await open(folder.path);
    try {
      expect(await models(second)).toEqual(["appended", "committed"]);
    } finally {
      await second.close();
    }
  });

  test("undoes a commit that fails and goes on", async () => {
    using folder = openFolder();
    const store = await open(folder.path);
    try {
      const twice = [insert("a"), insert("b"), insert("a")];
      expect(await faultOf(store.commit({ statements: twice }))).toBe("constraint");
      const missed = { ...statement("delete from price"), changes: 0 };
      expect(await faultOf(store.commit({ statements: [insert("c"), missed] }))).toBe("conflict");
      expect(await models(store)).toEqual([]);
      await store.commit({ statements: [insert("d")] });
      expect(await models(store)).toEqual(["d"]);
    } finally {
      await store.close();
    }
  });

  test("has a log of its own", async () => {
    using folder = openFolder();
    const store = await open(folder.path);
    try {
      const document = JSON.stringify({ lines: [["one"], ["two"]] });
      await store.writeLog({ documents: [document] });
      expect(await store.readLog(statement("select text from line"))).toEqual([
        { text: "one" },
        { text: "two" },
      ]);
      expect(await faultOf(store.read(statement("select text from line")))).toBe("other");
    } finally {
      await store.close();
    }
  });

  test("does not write by way of a read", async () => {
    using folder = openFolder();
    const store = await open(folder.path);
    try {
      expect(await faultOf(store.read(insert("sly")))).toBe("io");
      expect(await models(store)).toEqual([]);
    } finally {
      await store.close();
    }
  });

  test("owns its folder alone, and nobody else may look inside", async () => {
    using folder = openFolder();
    const store = await open(folder.path);
    await expect(open(folder.path)).rejects.toThrow(FolderLocked);
    expect(statSync(folder.path).mode & 0o077).toBe(0);
    await store.close();
    expect(isFolderLocked(folder.path)).toBe(false);
    await (await open(folder.path)).close();
  });

  test("that cannot be opened gives its folder back", async () => {
    using folder = openFolder();
    await (await open(folder.path)).close();
    const newer = new SqliteConnection({ path: join(folder.path, mainFile) });
    newer.migrate([...mainVersions(), [], [], []]);
    newer.close();
    await expect(open(folder.path)).rejects.toThrow("knows only");
    expect(isFolderLocked(folder.path)).toBe(false);
    const broken = { program: [], migrations: [() => ["create nonsense"]] };
    using other = openFolder();
    const opening = openSqlite({ folder: other.path, programs: {}, log: broken });
    expect(await faultOf(opening)).not.toBe("none");
    expect(isFolderLocked(other.path)).toBe(false);
    await (await open(other.path)).close();
  });

  test("tells of a run that its tables refuse, and goes on without it", async () => {
    using folder = openFolder();
    const told: string[] = [];
    const onRejected = (run: ProgramRun, { kind }: StoreError) => {
      told.push(`${kind} ${run.document}`);
    };
    const store = await openSqlite({ folder: folder.path, programs: { prices }, log, onRejected });
    try {
      for (const model of ["one", "one", "two"]) await store.append(price(model), "synced");
      await store.applied();
      expect(await models(store)).toEqual(["one", "two"]);
      expect(told).toEqual([`constraint ${price("one").document}`]);
    } finally {
      await store.close();
    }
  });

  test("that is closed refuses everything", async () => {
    using folder = openFolder();
    const store = await open(folder.path);
    await store.close();
    const calls = [
      store.read(statement("select 1")),
      store.commit({ statements: [] }),
      store.append(price("late"), "written"),
    ];
    expect(await Promise.all(calls.map(faultOf))).toEqual(["closed", "closed", "closed"]);
  });
});

/** Appends one record after the other, each told to the outside once it is kept. */
function appendInChild(folder: string, round: number) {
  const script = `
    import { writeSync } from "node:fs";
    import { openSqlite } from ${JSON.stringify(import.meta.resolve("./open.ts"))};
    const store = await openSqlite({
      folder: ${JSON.stringify(folder)},
      programs: ${JSON.stringify({ prices })},
      log: { program: [], migrations: [() => ${JSON.stringify(lineTables)}] },
    });
    for (let at = 0; ; at++) {
      const model = "r${round}_" + String(at).padStart(6, "0");
      const document = JSON.stringify({ prices: [[model, "{}"]] });
      await store.append({ program: "prices", document }, at % 50 === 0 ? "synced" : "written");
      writeSync(1, model + "\\n");
    }`;
  return Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
}

test("an open that failed leaves no thread behind to keep the process alive", async () => {
  using folder = openFolder();
  const script = `
    import { openSqlite } from ${JSON.stringify(import.meta.resolve("./open.ts"))};
    await openSqlite({
      folder: ${JSON.stringify(folder.path)},
      programs: {},
      log: { program: [], migrations: [() => ["create nonsense"]] },
    }).catch(({ name }) => console.log(name));`;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe" });
  expect(await child.stdout.text()).toBe("StoreError\n");
  expect(await child.exited).toBe(0);
}, 10_000);

test("kill -9 loses nothing that was kept, and leaves the folder free", async () => {
  using folder = openFolder();
  let kept: string[] = [];
  for (let round = 0; round < 3; round++) {
    const child = appendInChild(folder.path, round);
    let told = "";
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) {
      told += decoder.decode(chunk, { stream: true });
      // Killed at a different point of its work in each round.
      if (told.length > 3000 * (round + 1)) child.kill("SIGKILL");
    }
    await child.exited;
    const toldLines = told.split("\n").slice(0, -1);
    expect(toldLines.length).toBeGreaterThan(0);
    kept = [...kept, ...toldLines];
    const store = await open(folder.path);
    try {
      const found = await models(store);
      expect(found).toEqual(expect.arrayContaining(kept));
      // At most one record a death was kept without a word.
      expect(found.length - kept.length).toBeLessThanOrEqual(round + 1);
    } finally {
      await store.close();
    }
  }
}, 30_000);
