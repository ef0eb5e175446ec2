// Queries to the two ends of a move, in the words of each engine. Rows are written from one JSON
// text, so that their number is bound by no limit on parameters.
import type { DialectName } from "../dialect.ts";
import type { Statement, Value } from "../store.ts";
import { placeColumn, type ColumnShape, type TableShape } from "./shapes.ts";

interface Words {
  parameter(number: number): string;
  column(name: string): string;
  /** A cell of a row of the JSON text. */
  cell(at: number, column: ColumnShape): string;
  /** Between the columns and the cells. */
  overriding: string;
  /** The rows of the JSON text. */
  rows: string;
  /** Once all rows of a table are there. */
  completed(table: TableShape): string[];
}

const quoted = (name: string) => `"${name}"`;

const words: Readonly<Record<DialectName, Words>> = {
  sqlite: {
    parameter: () => "?",
    column: (name) => (name === placeColumn ? "rowid" : quoted(name)),
    cell: (at) => `value ->> ${at}`,
    overriding: "",
    rows: "json_each(?)",
    completed: () => [],
  },
  postgres: {
    parameter: (number) => `$${number}`,
    column: quoted,
    cell: (at, { isInteger }) => `cast(value ->> ${at} as ${isInteger ? "bigint" : "text"})`,
    overriding: "overriding system value",
    rows: "jsonb_array_elements($1::text::jsonb)",
    completed: ({ name, columns }) => [
      ...(columns.some((column) => column.name === placeColumn) ? [countOn(name)] : []),
      `analyze ${quoted(name)}`,
    ],
  },
};

/** Set the counter of rows behind the last of them. */
function countOn(table: string): string {
  return `select setval(pg_get_serial_sequence('${table}', '${placeColumn}'),
    (select coalesce(max(${placeColumn}), 0) + 1 from ${quoted(table)}), false)`;
}

/** Rows behind a key, or from the first on. */
export function rowsBehind(
  dialect: DialectName,
  { name, columns, key }: TableShape,
  { after, limit }: { after: readonly Value[] | null; limit: number },
): Statement {
  const { column, parameter } = words[dialect];
  const keys = key.map(column).join(", ");
  const bound = key.map((_, at) => parameter(at + 1)).join(", ");
  const where = after === null ? "" : ` where (${keys}) > (${bound})`;
  const cells = columns.map((one) => `${column(one.name)} as ${quoted(one.name)}`).join(", ");
  return {
    sql: `select ${cells} from ${quoted(name)}${where} order by ${keys} limit ${limit}`,
    parameters: after ?? [],
  };
}

/** `document` is a list of rows, each a list of cells in the order of the columns. */
export function insertRows(
  dialect: DialectName,
  { name, columns }: TableShape,
  document: string,
): Statement {
  const { column, cell, overriding, rows } = words[dialect];
  const names = columns.map((one) => column(one.name)).join(", ");
  const cells = columns.map((one, at) => cell(at, one)).join(", ");
  return {
    sql: `insert into ${quoted(name)} (${names}) ${overriding} select ${cells} from ${rows}`,
    parameters: [document],
  };
}

export function completeTable(dialect: DialectName, table: TableShape): Statement[] {
  return words[dialect].completed(table).map((sql) => ({ sql, parameters: [] }));
}

export function isAnyRow({ name }: TableShape): Statement {
  return { sql: `select 1 as there from ${quoted(name)} limit 1`, parameters: [] };
}

/** Rows that have something which only nodes have. */
export function findOfNodes(table: string, { name, isInteger }: ColumnShape): Statement {
  const has = isInteger ? `${quoted(name)} <> 0` : `${quoted(name)} is not null`;
  return { sql: `select 1 as there from ${quoted(table)} where ${has} limit 1`, parameters: [] };
}

const progressTables = { main: "relocation", log: "log_relocation" } as const;

const progressTable = ({ isLog }: TableShape) => progressTables[isLog ? "log" : "main"];

export function findProgress(dialect: DialectName, table: TableShape): Statement {
  const { parameter } = words[dialect];
  return {
    sql: `select move_id, detail, row_count from ${progressTable(table)}
      where part = ${parameter(1)}`,
    parameters: [table.name],
  };
}

interface TableProgress {
  moveId: string;
  after: readonly Value[];
  rows: number;
  atMs: number;
}

export function saveProgress(
  dialect: DialectName,
  table: TableShape,
  { moveId, after, rows, atMs }: TableProgress,
): Statement {
  const { parameter } = words[dialect];
  const [one, two, three, four, five] = [1, 2, 3, 4, 5].map(parameter);
  return {
    sql: `insert into ${progressTable(table)} (part, move_id, state, detail, row_count, at_ms)
      values (${one}, ${two}, 'copying', ${three}, ${four}, ${five})
      on conflict (part) do update set detail = excluded.detail,
        row_count = excluded.row_count, at_ms = excluded.at_ms`,
    parameters: [table.name, moveId, JSON.stringify(after), rows, atMs],
  };
}

export function forgetProgress(kind: keyof typeof progressTables): Statement {
  return { sql: `delete from ${progressTables[kind]} where part <> ''`, parameters: [] };
}

const logStates: Readonly<Record<DialectName, string>> = {
  sqlite: "journal_state",
  postgres: "sluice_log.journal_state",
};

/** Since when the log has all that was charged; null where nobody has said so. */
export function readSince(dialect: DialectName): Statement {
  return { sql: `select since_ms from ${logStates[dialect]}`, parameters: [] };
}

export function writeSince(dialect: DialectName, sinceMs: number): Statement {
  const { parameter } = words[dialect];
  const sql = `update ${logStates[dialect]} set since_ms = ${parameter(1)}`;
  return { sql, parameters: [sinceMs] };
}
