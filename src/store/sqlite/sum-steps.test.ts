import { expect, test } from "bun:test";
import { SqliteConnection } from "./connection.ts";

const program = [
  { list: "rows", table: "made", columns: ["id", "micros"], action: { kind: "insert" } },
  {
    list: "rows",
    table: "summed",
    columns: ["kind", "micros"],
    action: {
      kind: "sum",
      of: "made",
      key: ["kind"],
      values: { kind: "id % 2", micros: "micros" },
      max: 1000,
    },
  },
] as const;

test("sums are made also where the first commit was undone", () => {
  const connection = new SqliteConnection({ path: ":memory:", programs: { program } });
  connection.migrate([
    [
      "create table made (id integer primary key, micros integer not null)",
      "create table summed (kind integer primary key, micros integer not null)",
    ],
  ]);
  const commit = (rows: number[][], sql = "select 1") => {
    const runs = [{ program: "program", document: JSON.stringify({ rows }) }];
    connection.commit(runs, [{ sql, parameters: [] }], false);
  };
  expect(() => commit([[1, 5]], "select nothing from nowhere")).toThrow();
  commit([
    [1, 5],
    [2, 7],
    [3, 6],
  ]);
  commit([[4, 999]]);
  const all = connection.all({ sql: "select * from summed order by kind", parameters: [] });
  expect(all).toEqual([
    { kind: 0, micros: 1000 },
    { kind: 1, micros: 11 },
  ]);
  connection.close();
});
