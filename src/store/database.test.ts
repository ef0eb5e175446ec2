import { describe, expect, test } from "bun:test";
import { sql } from "kysely";
import { commitTogether, createDatabase, toStatement, type Database } from "./database.ts";
import { SqliteConnection } from "./sqlite/connection.ts";
import { mainVersions } from "./sqlite/open.ts";
import { StoreError, type Statement, type Store } from "./store.ts";

interface Bench extends Disposable {
  database: Database;
  store: Store;
  reads: Statement[];
  commits: (readonly Statement[])[];
}

/** The query builder over a database in memory, with a note of what was asked of the store. */
function openBench(): Bench {
  const connection = new SqliteConnection({ path: ":memory:" });
  connection.migrate(mainVersions());
  const reads: Statement[] = [];
  const commits: (readonly Statement[])[] = [];
  const unused = () => Promise.reject(new Error("not used here"));
  const store: Store = {
    dialect: "sqlite",
    async read(statement) {
      reads.push(statement);
      return connection.all(statement);
    },
    async commit({ statements = [] }) {
      commits.push(statements);
      return connection.commit([], statements, true);
    },
    append: unused,
    applied: unused,
    logApplied: unused,
    readLog: unused,
    writeLog: unused,
    close: unused,
  };
  const database = createDatabase(store);
  return { database, store, reads, commits, [Symbol.dispose]: () => connection.close() };
}

function price(model: string, document = "{}") {
  return { model, document, declared: 0 as const };
}

describe("the query builder", () => {
  test("reads by the reader and writes by commits of their own", async () => {
    using bench = openBench();
    const { database } = bench;
    await database.insertInto("price").values(price("m", "one")).execute();
    const changed = database.updateTable("price").set({ document: "two" }).where("model", "=", "m");
    await changed.execute();
    const found = database.selectFrom("price").selectAll().where("model", "=", "m");
    expect(await found.executeTakeFirst()).toEqual(price("m", "two"));
    await database.deleteFrom("price").where("model", "=", "m").execute();
    expect(await found.executeTakeFirst()).toBeUndefined();
    expect([bench.reads.length, bench.commits.length]).toEqual([2, 3]);
  });

  test("gives back the rows of a write that returns some", async () => {
    using bench = openBench();
    const rows = await bench.database
      .insertInto("price")
      .values([price("a"), price("b")])
      .returning("model")
      .execute();
    expect(rows).toEqual([{ model: "a" }, { model: "b" }]);
    expect(bench.reads).toEqual([]);
  });

  test("passes values as parameters, never as text of the statement", async () => {
    using bench = openBench();
    const sly = "'); drop table price; --";
    await bench.database.insertInto("price").values(price(sly)).execute();
    const found = bench.database.selectFrom("price").select("model").where("model", "=", sly);
    expect(await found.execute()).toEqual([{ model: sly }]);
    expect(bench.reads[0]?.parameters).toEqual([sly]);
  });

  test("lets a fault of the store through as it is", async () => {
    using bench = openBench();
    const { database } = bench;
    await database.insertInto("price").values(price("m")).execute();
    const again = database.insertInto("price").values(price("m")).execute();
    const fault = await again.catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(StoreError);
    expect(fault).toMatchObject({ kind: "constraint" });
  });

  test("has no transactions that stay open", async () => {
    using bench = openBench();
    const open = bench.database.transaction().execute(async () => "done");
    await expect(open).rejects.toThrow("use commitTogether");
  });

  test("does not stream rows", async () => {
    using bench = openBench();
    const rows = bench.database.selectFrom("price").selectAll().stream();
    await expect(rows[Symbol.asyncIterator]().next()).rejects.toThrow("not streamed");
  });

  test("stores no value that would change on the way", () => {
    using bench = openBench();
    for (const value of [true, 5n, undefined, new Date(0), { a: 1 }, [1]]) {
      const compiled = sql`select ${value}`.compile(bench.database);
      expect(() => toStatement(compiled)).toThrow(TypeError);
    }
  });
});

describe("commitTogether", () => {
  test("commits all queries as one", async () => {
    using bench = openBench();
    const { database, store } = bench;
    const rows = await commitTogether(store, [
      database.insertInto("price").values([price("a"), price("b")]),
      { query: database.deleteFrom("price").where("model", "=", "a"), changes: 1 },
      database.selectFrom("price").select("model"),
    ]);
    expect(rows).toEqual([[], [], [{ model: "b" }]]);
    expect(bench.commits.length).toBe(1);
  });

  test("commits none of them when one fails", async () => {
    using bench = openBench();
    const { database, store } = bench;
    const insert = database.insertInto("price").values(price("a"));
    await expect(commitTogether(store, [insert, insert])).rejects.toMatchObject({
      kind: "constraint",
    });
    expect(await database.selectFrom("price").selectAll().execute()).toEqual([]);
  });

  test("commits none of them when one changes another number of rows", async () => {
    using bench = openBench();
    const { database, store } = bench;
    await database
      .insertInto("price")
      .values([price("a"), price("b")])
      .execute();
    const both = ["a", "b"];
    const query = database.updateTable("price").set({ document: "new" }).where("model", "in", both);
    for (const changes of [0, 1, 3]) {
      const insert = database.insertInto("price").values(price("c"));
      await expect(commitTogether(store, [insert, { query, changes }])).rejects.toMatchObject({
        kind: "conflict",
      });
    }
    expect(await database.selectFrom("price").selectAll().execute()).toEqual([
      price("a"),
      price("b"),
    ]);
    await commitTogether(store, [{ query, changes: 2 }]);
  });
});
