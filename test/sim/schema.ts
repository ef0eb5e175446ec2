// The tables of the main database as all of its migrations leave them, in one step: to run each of
// them anew took half of the time of a seed.
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { mainVersions } from "../../src/store/sqlite/open.ts";
import type { Row } from "../../src/store/store.ts";

export function mainTables(): readonly (readonly string[])[] {
  const migrated = new SqliteConnection({ path: ":memory:" });
  const read = (sql: string): Row[] => migrated.all({ sql, parameters: [] });
  migrated.migrate(mainVersions());
  const parts = read("select type, name, sql from sqlite_schema where sql is not null");
  const tables = parts.filter(({ type }) => type === "table").map(({ name }) => String(name));
  const filled = tables.flatMap((table) =>
    read(`select * from "${table}"`).map(
      (row) => `insert into "${table}" values (${Object.values(row).map(literal).join(", ")})`,
    ),
  );
  migrated.close();
  return [[...parts.map(({ sql }) => String(sql)), ...filled]];
}

function literal(value: Row[string] | undefined): string {
  if (typeof value === "number") return String(value);
  return value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`;
}
