// The store on a real PostgreSQL, through the same port as the one on files.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ledgerProgram } from "../../src/quota/queries.ts";
import type { Store } from "../../src/store/store.ts";
import { dropDatabase, newDatabase, openDatabase, sharedPostgres } from "../harness/postgres.ts";
import { CutWire } from "../harness/postgres/cut-wire.ts";

let url: string;
let store: Store;

beforeAll(async () => {
  url = await newDatabase();
  store = await openDatabase(url);
  const account = `insert into account (id, username, password_hash, role, group_name, status,
    created_at_ms) values ('acc_1', 'one', '', 'user', 'g', 'enabled', 0)`;
  await store.commit({
    statements: [
      account,
      "insert into ledger_account (account_id, unlimited) values ('acc_1', 0)",
    ].map((sql) => ({ sql, parameters: [] })),
  });
});

afterAll(async () => {
  await store.close();
  await dropDatabase(url);
});

const insert = (name: string, changes?: number) => ({
  sql: "insert into milestone (name) values ($1)",
  parameters: [name],
  ...(changes !== undefined && { changes }),
});

async function milestones(like: string): Promise<unknown[]> {
  const sql = "select name from milestone where name like $1 order by name";
  return (await store.read({ sql, parameters: [like] })).map(({ name }) => name);
}

const grant = (id: string, micros: number) => ({
  program: ledgerProgram,
  document: JSON.stringify({
    entries: [[id, "grant", "acc_1", null, null, null, 0, micros, 0, null, null, null, null, 1]],
    accounts: [["acc_1", micros, micros, 0, 0]],
  }),
});

async function granted(): Promise<unknown> {
  const sql = "select granted_micros from ledger_account where account_id = 'acc_1'";
  return (await store.read({ sql, parameters: [] }))[0]?.["granted_micros"];
}

describe("a commit", () => {
  test("is whole or not at all, and says what kind of refusal it was", async () => {
    await store.commit({ statements: [insert("whole-1"), insert("whole-2")] });
    const twice = store.commit({ statements: [insert("whole-3"), insert("whole-1")] });
    await expect(twice).rejects.toMatchObject({ name: "StoreError", kind: "constraint" });
    const none = { ...insert("x", 1), sql: "delete from milestone where name = $1" };
    const missed = store.commit({ statements: [insert("whole-4"), none] });
    await expect(missed).rejects.toMatchObject({ kind: "conflict" });
    expect(await milestones("whole-%")).toEqual(["whole-1", "whole-2"]);
  });

  test("returns the rows of each statement, with numbers as numbers", async () => {
    const counting = { sql: "select count(*) as n, 9007199254740991::bigint as m", parameters: [] };
    const [none, rows] = await store.commit({ statements: [insert("rows-1"), counting] });
    expect(none).toEqual([]);
    expect(rows).toEqual([{ n: 1, m: 9_007_199_254_740_991 }]);
  });

  test("takes texts that the server would refuse", async () => {
    await store.commit({ statements: [insert("nul-\0-\ud800")] });
    expect(await milestones("nul-%")).toEqual(["nul-\ufffd-\ufffd"]);
  });
});

describe("a run of a program", () => {
  test("changes each row once, and a row that is not there undoes all of it", async () => {
    await store.append(grant("op_1", 70), "synced");
    expect(await granted()).toBe(70);
    await expect(store.append(grant("op_1", 5), "synced")).rejects.toMatchObject({
      kind: "constraint",
    });
    const closed = { program: ledgerProgram, document: '{"closed":[["req_none"]]}' };
    await expect(store.append(closed, "synced")).rejects.toMatchObject({ kind: "conflict" });
    expect(await granted()).toBe(70);
  });

  test("takes what a client may have sent, character 0 and halves of characters", async () => {
    const document = JSON.stringify({
      entries: [
        [
          "op_nul",
          "grant",
          "acc_1",
          null,
          null,
          "a\0b\\u0000\ud800c",
          0,
          0,
          0,
          null,
          null,
          null,
        ].concat([null, "1"]),
      ],
    });
    await store.append({ program: ledgerProgram, document }, "written");
    const sql = "select model from entry where id = 'op_nul'";
    expect(await store.read({ sql, parameters: [] })).toEqual([
      { model: "a\ufffdb\\u0000\ufffdc" },
    ]);
  });
});

describe("a connection that is lost", () => {
  test("neither loses nor doubles a commit, whenever it is", async () => {
    const { port } = await sharedPostgres();
    using wire = new CutWire(port);
    const cutUrl = new URL(url);
    cutUrl.port = String(wire.port);
    const far = await openDatabase(cutUrl.href);
    const before = Number(await granted());
    const cuts = ["after", "before", "after", "after", "before"] as const;
    for (const [at, cut] of cuts.entries()) {
      wire.cuts.push(cut);
      await far.append(grant(`op_cut_${at}`, 10), "synced");
      wire.cuts.push(cut);
      await far.commit({ statements: [insert(`cut-${at}`)] });
    }
    expect(wire.cuts).toEqual([]);
    expect(await granted()).toBe(before + 10 * cuts.length);
    expect(await milestones("cut-%")).toEqual(cuts.map((_, at) => `cut-${at}`));
    await far.close();
  });

  test("is opened anew by the next question", async () => {
    const server = await sharedPostgres();
    const name = new URL(url).pathname.slice(1);
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and pid <> pg_backend_pid()`;
    for (let round = 0; round < 3; round++) {
      await server.ask("postgres", kill);
      await store.commit({ statements: [insert(`anew-${round}`)] });
      await store.append(grant(`op_anew_${round}`, 1), "synced");
    }
    expect((await milestones("anew-%")).length).toBe(3);
  });
});

describe("the tables", () => {
  test("are made once by any number of nodes that start at once", async () => {
    const server = await sharedPostgres();
    await server.ask("postgres", "create database bare_start");
    const bare = server.url("bare_start");
    const stores = await Promise.all(Array.from({ length: 5 }, () => openDatabase(bare)));
    const [{ n } = { n: 0 }] = await server.ask(
      "bare_start",
      "select count(*) as n, count(distinct version) as m from sluice.schema_version",
    );
    expect(n).toBeGreaterThan(20);
    for (const one of stores) await one.close();
    await dropDatabase(bare);
  });

  test("of a newer program are refused, unless it only added to them", async () => {
    const server = await sharedPostgres();
    const newer = await newDatabase();
    const name = new URL(newer).pathname.slice(1);
    const add = (version: number, oldest: number) =>
      server.ask(name, `insert into schema_version values (${version}, ${oldest})`);
    await add(1000, 1);
    await (await openDatabase(newer)).close();
    await add(1001, 1001);
    await expect(openDatabase(newer)).rejects.toThrow("the database has version 1001");
    await dropDatabase(newer);
  });

  test("compare texts byte by byte, whatever the database was created with", async () => {
    const server = await sharedPostgres();
    const name = new URL(url).pathname.slice(1);
    const others = await server.ask(
      name,
      `select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace in ('sluice'::regnamespace, 'sluice_log'::regnamespace)
         and c.relkind = 'r' and a.attnum > 0 and a.atttypid = 'text'::regtype
         and a.attcollation <> '"C"'::regcollation`,
    );
    expect(others).toEqual([]);
  });
});
