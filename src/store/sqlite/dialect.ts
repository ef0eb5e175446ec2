// SQLite's words for the migrations.
import type { SqlDialect, Migration } from "../migrate.ts";

const sqliteDialect: SqlDialect = {
  integer: "integer",
  // STRICT, because an ordinary INTEGER column would store 1.5 without a word.
  table: (name, columns) => `create table ${name} (${columns.join(", ")}) strict`,
  keyedTable: (name, columns) =>
    `create table ${name} (${columns.join(", ")}) strict, without rowid`,
  // SQLite counts the rows of every table by itself.
  numberedTable: (name, columns) => `create table ${name} (${columns.join(", ")}) strict`,
  frozen: (table) =>
    ["update", "delete"].map(
      (verb) =>
        `create trigger ${table}_no_${verb} before ${verb} on ${table} ` +
        `begin select raise(abort, '${table} is append-only'); end`,
    ),
  thawed(table, kept, emptied) {
    const same = kept.map((column) => `new.${column} is old.${column}`);
    const empty = Object.entries(emptied).map(
      ([column, condition]) => `(new.${column} is old.${column} or ${condition})`,
    );
    const isEmptied = Object.keys(emptied).map((column) => `new.${column} is not old.${column}`);
    return [
      `drop trigger ${table}_no_update`,
      `create trigger ${table}_no_update before update on ${table} ` +
        `when not (${[...same, ...empty].join(" and ")} ` +
        `and (${isEmptied.join(" or ")})) ` +
        `begin select raise(abort, '${table} is append-only'); end`,
    ];
  },
};

/** The statements of each version. */
export function toVersions(migrations: readonly Migration[]): string[][] {
  return migrations.map((migration) => migration(sqliteDialect));
}
