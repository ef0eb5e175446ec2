// A look at a place before anything is opened there: who holds another gateway's rows must not find
// its tables brought up to date.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createReader } from "../database.ts";
import type { DialectName } from "../dialect.ts";
import { readStill } from "../postgres/read-still.ts";
import { SqliteConnection } from "../sqlite/connection.ts";
import { mainFile } from "../sqlite/open.ts";
import type { Store } from "../store.ts";
import { readRelocation, type Relocation } from "./relocation.ts";

export interface Peeked {
  /** A gateway was started on it. */
  isBegun: boolean;
  mark: Relocation | null;
}

const tables: Readonly<Record<DialectName, string>> = {
  sqlite: "select name from sqlite_master where name in ('account', 'relocation')",
  postgres: `select tablename as name from pg_tables
    where schemaname = 'sluice' and tablename in ('account', 'relocation')`,
};
const anyAccount = "select 1 as there from account limit 1";

export async function peekFolder(folder: string): Promise<Peeked> {
  const path = join(folder, mainFile);
  if (!existsSync(path)) return { isBegun: false, mark: null };
  const connection = new SqliteConnection({ path, readOnly: true });
  try {
    return await peek("sqlite", async (statement) => connection.all(statement));
  } finally {
    connection.close();
  }
}

export async function peekDatabase(url: string): Promise<Peeked> {
  return await readStill(url, (read) => peek("postgres", read));
}

async function peek(dialect: DialectName, read: Store["read"]): Promise<Peeked> {
  const names = (await read({ sql: tables[dialect], parameters: [] })).map(({ name }) => name);
  const isBegun =
    names.includes("account") && (await read({ sql: anyAccount, parameters: [] })).length > 0;
  const mark = names.includes("relocation")
    ? await readRelocation(createReader(dialect, read))
    : null;
  return { isBegun, mark };
}
