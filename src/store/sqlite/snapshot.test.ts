import { expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemTimers } from "../../core/clock.ts";
import type { Program } from "../step.ts";
import type { ProgramRun, Row, Store } from "../store.ts";
import { mainFile, openSqlite } from "./open.ts";
import { takeSnapshot } from "./snapshot.ts";

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

function open(folder: string): Promise<Store> {
  const log = { program: lines, migrations: [() => lineTables] };
  return openSqlite({ folder, programs: { prices }, log });
}

function openRoot(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "sluice-snapshot-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A row of the main database, and one of the log that stands or falls with it. */
function both(name: string): ProgramRun {
  return {
    program: "prices",
    document: JSON.stringify({ prices: [[name, "{}"]] }),
    logged: JSON.stringify({ lines: [[name]] }),
  };
}

async function snap(root: string, name: string): Promise<string> {
  const to = join(root, name);
  mkdirSync(to);
  await takeSnapshot({ from: join(root, "data"), to, timers: systemTimers });
  return to;
}

interface Contents {
  main: string[];
  log: string[];
}

/** Contents of a gateway that is started on the folder. */
async function contentsOf(folder: string): Promise<Contents> {
  const store = await open(folder);
  try {
    await store.logApplied();
    const read = { sql: "select model as name from price order by 1", parameters: [] };
    const readLog = { sql: "select text as name from line order by 1", parameters: [] };
    const names = (rows: Row[]) => rows.map((row) => String(row["name"]));
    return { main: names(await store.read(read)), log: names(await store.readLog(readLog)) };
  } finally {
    await store.close();
  }
}

test("a copy beside a store that is used has all that was written before, in both databases", async () => {
  using root = openRoot();
  const store = await open(join(root.path, "data"));
  const wanted: string[] = [];
  const copies: { folder: string; atLeast: number }[] = [];
  try {
    for (let at = 0; at < 400; at++) {
      const name = `m${String(at).padStart(4, "0")}`;
      await store.append(both(name), "written");
      wanted.push(name);
      // So that the takeovers of the two databases meet the copies at every stage.
      if (at % 40 === 20) await store.applied();
      if (at % 40 === 30) await store.logApplied();
      if (at % 57 !== 0) continue;
      const atLeast = wanted.length;
      copies.push({ folder: await snap(root.path, `copy-${at}`), atLeast });
    }
  } finally {
    await store.close();
  }
  for (const { folder, atLeast } of copies) {
    const { main, log } = await contentsOf(folder);
    expect(log).toEqual(main);
    expect(main).toEqual(wanted.slice(0, main.length));
    expect(main.length).toBeGreaterThanOrEqual(atLeast);
  }
});

test("a copy has nothing that rests on what came behind it", async () => {
  using root = openRoot();
  const store = await open(join(root.path, "data"));
  const writing = (async () => {
    for (let at = 0; at < 300; at++) {
      const [made, used] = [`a${at}`, `b${at}`];
      const insert = "insert into price (model, document, declared) values (?, '', 1)";
      await store.commit({ statements: [{ sql: insert, parameters: [made] }] });
      await store.append(both(used), "written");
    }
  })();
  const copies: string[] = [];
  try {
    for (let at = 0; at < 12; at++) copies.push(await snap(root.path, `copy-${at}`));
    await writing;
  } finally {
    await store.close();
  }
  for (const folder of copies) {
    const { main, log } = await contentsOf(folder);
    const used = main.filter((name) => name.startsWith("b"));
    expect(log).toEqual(used);
    expect(used.filter((name) => !main.includes(`a${name.slice(1)}`))).toEqual([]);
  }
});

test("the folder of a process that died is copied with its journal", async () => {
  using root = openRoot();
  const store = await open(join(root.path, "data"));
  await store.append(both("taken"), "written");
  await store.logApplied();
  await store.append(both("journalled"), "written");
  cpSync(join(root.path, "data"), join(root.path, "dead"), { recursive: true });
  await store.close();
  const to = join(root.path, "copy");
  mkdirSync(to);
  const from = join(root.path, "dead");
  const taken = await takeSnapshot({ from, to, timers: systemTimers });
  expect(taken).toMatchObject({ journalled: 1, isLogWhole: true });
  expect(statSync(join(to, mainFile)).mode & 0o077).toBe(0);
  const names = ["journalled", "taken"];
  expect(await contentsOf(to)).toEqual({ main: names, log: names });
});
