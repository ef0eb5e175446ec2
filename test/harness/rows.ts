// Rows of a gateway's database as they are, on whichever engine it runs: what has no route, and
// what a test has to change behind the gateway's back.
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { isOnPostgres, rowsIn, type DatabaseRow } from "./postgres.ts";

export type DataFile = "sluice.db" | "log.db";

const patienceMs = 10_000;

/**
 * A database of a gateway, with patience: a thread of this process that has ended may still be
 * closing the file.
 */
export function openDatabase(folder: string, file: DataFile = "sluice.db"): Database {
  const path = join(folder, file);
  const database = new Database(path);
  database.run(`pragma busy_timeout = ${patienceMs}`);
  return database;
}

/** Rows of the statement, which may also change rows and return them. */
export async function rowsOf<Row extends DatabaseRow>(
  { folder }: { folder: string },
  sql: string,
  file: DataFile = "sluice.db",
): Promise<Row[]> {
  if (isOnPostgres) return (await rowsIn(folder, sql)) as Row[];
  using database = openDatabase(folder, file);
  return database.query<Row, []>(sql).all();
}
