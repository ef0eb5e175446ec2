import { describe, expect, test } from "bun:test";
import { migrate, MigrationError, type MigrationTarget } from "./migrate.ts";
import { SqliteConnection } from "./sqlite/connection.ts";
import { mainVersions } from "./sqlite/open.ts";

/** A target that remembers what it was told, and may refuse a version. */
function openTarget(version = 0, refused = Infinity) {
  const applied: [number, readonly string[]][] = [];
  const target: MigrationTarget = {
    version: () => applied.at(-1)?.[0] ?? version,
    apply(next, statements) {
      if (next >= refused) throw new Error("no room");
      applied.push([next, statements]);
    },
  };
  return { target, applied };
}

const versions = [["one"], ["two", "and a half"], ["three"]];

describe("migrate", () => {
  test("applies every version in order to a new database", () => {
    const { target, applied } = openTarget();
    migrate(target, versions);
    expect(applied).toEqual([
      [1, ["one"]],
      [2, ["two", "and a half"]],
      [3, ["three"]],
    ]);
  });

  test("applies only what the database has not seen", () => {
    const { target, applied } = openTarget(2);
    migrate(target, versions);
    expect(applied).toEqual([[3, ["three"]]]);
  });

  test("does nothing to a database of this version", () => {
    const { target, applied } = openTarget(3);
    migrate(target, versions);
    expect(applied).toEqual([]);
  });

  test("refuses a database that a newer program has written", () => {
    const { target, applied } = openTarget(4);
    expect(() => migrate(target, versions)).toThrow(MigrationError);
    expect(applied).toEqual([]);
  });

  test("stops at a version that fails", () => {
    const { target, applied } = openTarget(0, 2);
    expect(() => migrate(target, versions)).toThrow("no room");
    expect(applied).toEqual([[1, ["one"]]]);
  });
});

describe("migrating SQLite", () => {
  const first = ["create table one (id integer) strict"];
  const second = ["create table two (id integer) strict", "insert into two values (2)"];
  const broken = [...second, "insert into nowhere values (1)"];

  function withDatabase(work: (connection: SqliteConnection) => void): void {
    const connection = new SqliteConnection({ path: ":memory:" });
    try {
      work(connection);
    } finally {
      connection.close();
    }
  }

  function state(connection: SqliteConnection): unknown {
    const tables = "select name from sqlite_schema where type = 'table' order by name";
    return {
      tables: connection.all({ sql: tables, parameters: [] }).map((row) => row["name"]),
      version: connection.all({ sql: "pragma user_version", parameters: [] })[0]?.["user_version"],
    };
  }

  test("a version that fails half-way leaves nothing behind, and the next start resumes", () => {
    withDatabase((connection) => {
      expect(() => connection.migrate([first, broken])).toThrow("nowhere");
      expect(state(connection)).toEqual({ tables: ["one"], version: 1 });
      connection.migrate([first, second]);
      expect(state(connection)).toEqual({ tables: ["one", "two"], version: 2 });
    });
  });

  test("the real versions apply, and apply only once", () => {
    withDatabase((connection) => {
      connection.migrate(mainVersions());
      const once = state(connection);
      connection.migrate(mainVersions());
      expect(state(connection)).toEqual(once);
    });
  });

  test("the real versions make strict tables and nothing else", () => {
    withDatabase((connection) => {
      connection.migrate(mainVersions());
      const loose =
        "select name from pragma_table_list where schema = 'main' and strict = 0 " +
        "and type = 'table'";
      const names = connection
        .all({ sql: loose, parameters: [] })
        .map((row) => String(row["name"]));
      expect(names.filter((name) => !name.startsWith("sqlite_"))).toEqual([]);
    });
  });

  test("a newer database is refused and stays as it is", () => {
    withDatabase((connection) => {
      connection.migrate([first, second]);
      const before = state(connection);
      expect(() => connection.migrate([first])).toThrow(MigrationError);
      expect(state(connection)).toEqual(before);
    });
  });
});
