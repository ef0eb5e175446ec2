// The tables that both engines have, read from the engines themselves: a table that a migration
// adds is moved without a word here. What an engine keeps for itself alone is named below.
import type { Row, Statement, Store } from "../store.ts";

export interface ColumnShape {
  name: string;
  isInteger: boolean;
}

export interface TableShape {
  name: string;
  /** Table of the usage log's database. */
  isLog: boolean;
  columns: readonly ColumnShape[];
  /** Columns that order its reading. */
  key: readonly string[];
}

/** A column of the common tables that one of the engines has and the other has not. */
interface OwnColumn {
  table: string;
  column: ColumnShape;
}

export interface MovedTables {
  /** A table comes behind those that it refers to. */
  tables: readonly TableShape[];
  /** Columns of PostgreSQL alone: what nodes have, which is nothing when all have stopped. */
  ofNodes: readonly OwnColumn[];
}

/** Tables of an engine, of nodes, or of the move itself. */
const notMoved = new Set([
  "journal_state",
  "schema_version",
  "version",
  "node",
  "ledger_slice",
  "ledger_key_slice",
  "cap_slice",
  "recall",
  "relocation",
  "log_relocation",
]);

/** Keys for tables without one of their own: equal keys are copied together. */
const keysOf: Readonly<Record<string, readonly string[]>> = { attempt_log: ["id", "number"] };

/** SQLite counts these rows by itself, under another name. */
export const placeColumn = "place";

const postgresColumns: Statement = {
  sql: `select n.nspname as schema, c.relname as name, a.attname as column_name,
      format_type(a.atttypid, null) as type,
      coalesce(array_position(i.indkey::int2[], a.attnum), -1) as key_place
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where n.nspname in ('sluice', 'sluice_log') and c.relkind = 'r'
    order by c.relname, a.attnum`,
  parameters: [],
};

const postgresReferences: Statement = {
  sql: `select c.relname as name, r.relname as other from pg_constraint k
      join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
      join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f' and n.nspname in ('sluice', 'sluice_log')`,
  parameters: [],
};

const sqliteColumns: Statement = {
  sql: `select t.name as name, c.name as column_name
    from sqlite_master t join pragma_table_info(t.name) c
    where t.type = 'table' and t.name not like 'sqlite_%'`,
  parameters: [],
};

/** One of the two is on files, the other on PostgreSQL. */
export async function readShapes(stores: readonly [Store, Store]): Promise<MovedTables> {
  const [postgres] = stores.filter(({ dialect }) => dialect === "postgres");
  const [files] = stores.filter(({ dialect }) => dialect === "sqlite");
  if (!postgres || !files) throw new Error("rows are moved between files and PostgreSQL only");
  const columns = await postgres.read(postgresColumns);
  const references = await postgres.read(postgresReferences);
  const onFiles = [...(await files.read(sqliteColumns)), ...(await files.readLog(sqliteColumns))];
  return toShapes(columns, references, onFiles);
}

function toShapes(
  columns: readonly Row[],
  references: readonly Row[],
  onFiles: readonly Row[],
): MovedTables {
  const known = new Set(onFiles.map((row) => `${row["name"]} ${row["column_name"]}`));
  const isKnown = (table: string, { name }: ColumnShape) =>
    name === placeColumn || known.has(`${table} ${name}`);
  const byTable = Map.groupBy(columns, ({ name }) => String(name));
  const all = [...byTable]
    .filter(([name]) => !notMoved.has(name))
    .map(([name, rows]) => toShape(name, rows));
  assertSame(all, onFiles);
  const tables = all.map((shape) => ({
    ...shape,
    columns: shape.columns.filter((column) => isKnown(shape.name, column)),
  }));
  const ofNodes = all.flatMap(({ name, columns: own }) =>
    own
      .filter((column) => !isKnown(name, column))
      .map((column): OwnColumn => ({ table: name, column })),
  );
  return { tables: inOrder(tables, references), ofNodes };
}

function toShape(name: string, rows: readonly Row[]): TableShape {
  const keyed = rows
    .filter((row) => Number(row["key_place"]) >= 0)
    .toSorted((one, other) => Number(one["key_place"]) - Number(other["key_place"]))
    .map((row) => String(row["column_name"]));
  const key = keyed.length > 0 ? keyed : (keysOf[name] ?? []);
  if (key.length === 0) throw new Error(`there is no key to read ${name} by`);
  return {
    name,
    isLog: rows[0]?.["schema"] === "sluice_log",
    columns: rows.map((row) => ({
      name: String(row["column_name"]),
      isInteger: row["type"] === "bigint",
    })),
    key,
  };
}

/** Columns that only one of them has would be lost without a word. */
function assertSame(postgres: readonly TableShape[], onFiles: readonly Row[]): void {
  const moved = onFiles.filter(({ name }) => !notMoved.has(String(name)));
  const theirs = new Set(moved.map(({ name }) => String(name)));
  const alone = new Set(postgres.map(({ name }) => name)).symmetricDifference(theirs);
  const known = new Set(
    postgres.flatMap(({ name, columns }) => columns.map((column) => `${name} ${column.name}`)),
  );
  const lost = moved
    .map((row) => `${row["name"]} ${row["column_name"]}`)
    .filter((column) => !known.has(column));
  const [first] = [...alone, ...lost];
  if (first !== undefined) throw new Error(`only one of the two engines has ${first}`);
}

function inOrder(tables: readonly TableShape[], references: readonly Row[]): TableShape[] {
  const ordered = new Map<string, TableShape>();
  const byName = new Map(tables.map((table) => [table.name, table]));
  const place = (table: TableShape | undefined) => {
    if (!table || ordered.has(table.name)) return;
    for (const { name, other } of references) {
      if (name === table.name && other !== name) place(byName.get(String(other)));
    }
    ordered.set(table.name, table);
  };
  // The log behind all else, because it is the longest.
  for (const table of tables) if (!table.isLog) place(table);
  for (const table of tables) place(table);
  return [...ordered.values()];
}
