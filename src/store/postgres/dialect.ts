// PostgreSQL's words for the migrations.
import type { Migration, SqlDialect } from "../migrate.ts";

/** Refusal of a row, told as elsewhere: what may not change is a constraint as well. */
const refusal = (table: string) =>
  `raise exception using errcode = 'check_violation', message = '${table} is append-only'`;

function createTable(name: string, columns: readonly string[]): string {
  return `create table ${name} (${columns.join(", ")})`;
}

const postgresDialect: SqlDialect = {
  integer: "bigint",
  isShared: true,
  table: createTable,
  keyedTable: createTable,
  numberedTable: (name, columns) =>
    createTable(name, ["place bigint generated always as identity primary key", ...columns]),
  frozen: (table) =>
    ["update", "delete"].flatMap((verb) => [
      `create function ${table}_no_${verb}() returns trigger language plpgsql as
        $$ begin ${refusal(table)}; end $$`,
      `create trigger ${table}_no_${verb} before ${verb} on ${table}
        for each row execute function ${table}_no_${verb}()`,
    ]),
  thawed(table, kept, emptied) {
    const isSame = (column: string) => `new.${column} is not distinct from old.${column}`;
    const empty = Object.entries(emptied).map(
      ([column, condition]) => `(${isSame(column)} or ${condition})`,
    );
    const isEmptied = Object.keys(emptied).map((column) => `not (${isSame(column)})`);
    return [
      `create or replace function ${table}_no_update() returns trigger language plpgsql as $$
        begin
          if ${[...kept.map(isSame), ...empty].join(" and ")} and (${isEmptied.join(" or ")})
          then return new; end if;
          ${refusal(table)};
        end $$`,
    ];
  },
};

/** The statements of each version. */
export function toPostgresVersions(migrations: readonly Migration[]): string[][] {
  return migrations.map((migration) => migration(postgresDialect));
}
