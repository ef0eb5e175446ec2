// Rows of a gateway's database as they are, on whichever engine it runs: what has no route, and
// what a test has to change behind the gateway's back.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { isOnPostgres, rowsIn, type DatabaseRow } from "./postgres.ts";

const patienceMs = 10_000;

/** Rows of the statement, which may also change rows and return them. */
export async function rowsOf<Row extends DatabaseRow>(
  { folder }: { folder: string },
  sql: string,
  file: "sluice.db" | "log.db" = "sluice.db",
): Promise<Row[]> {
  if (isOnPostgres) return (await rowsIn(folder, sql)) as Row[];
  using database = new Database(join(folder, file));
  database.run(`pragma busy_timeout = ${patienceMs}`);
  return database.query<Row, []>(sql).all();
}
