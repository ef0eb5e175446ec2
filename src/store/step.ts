// The steps of a program, as data that each engine compiles for itself. A step names its columns
// once, and a row for it is an object of just these, typed by the schema: the order in which cells
// are encoded is known to the step and to the engines alone.
import type { LogTables } from "./log-schema.ts";
import type { Tables } from "./schema.ts";
import type { Value } from "./store.ts";

/** SQL that every engine knows, in which `:column` is the row's cell of that column. */
export type Fragment = string;

export interface Step<Table extends string = string, Column extends string = string> {
  /** The list of the document whose rows it takes; each must change exactly one row. */
  list: string;
  table: Table;
  /**
   * The columns that a row has cells of. Journals are kept in this order, so a column of a released
   * step is never moved, and a new one comes last. Those of a sum are never written out.
   */
  columns: readonly Column[];
  action: Action<Column>;
  /** Values of rows that were written before the column was added; null if it is not said here. */
  lacking?: Readonly<Partial<Record<Column, Value>>> | undefined;
}

/** Steps, in this order, on a document, which is an object of named lists of rows. */
export type Program = readonly Step[];

type Action<Column extends string> =
  /** A new row; `also` has the columns that follow from the others. */
  | { kind: "insert"; also?: Readonly<Record<string, Fragment>> }
  /** A new row, unless there is one with the same key: it changes one row or none. */
  | { kind: "ensure"; key: readonly Column[] }
  /** A new row, in place of the one with the same key. */
  | { kind: "replace"; key: readonly Column[] }
  /** Adds the cells to what the row with the key has; rows of one key are added up before. */
  | { kind: "add"; key: readonly Column[] }
  /** The same up to a maximum, and with a new row where there is none. */
  | { kind: "accumulate"; key: readonly Column[]; max: number }
  /**
   * The same with what the newest rows of a table come to, as many as the list has: they were made
   * just before, of the same list. `values` has each column in that table's words.
   */
  | {
      kind: "sum";
      of: string;
      key: readonly Column[];
      values: Readonly<Record<Column, Fragment>>;
      max: number;
      names?: NamesBound<Column>;
    }
  /** Changes the row with the key, if `where` holds of it; cells that are only `compared` stay. */
  | {
      kind: "update";
      key: readonly Column[];
      compared?: readonly Column[];
      also?: Readonly<Record<string, Fragment>>;
      where?: Fragment;
    }
  /** Cancels out with a row of the named list that has the same cells, within one commit. */
  | { kind: "delete"; undoes?: string };

/** A bound on the names that are summed one by one; rows without a name are not summed. */
export interface NamesBound<Column extends string = string> {
  /** Part of the key. */
  column: Column;
  /** The rest of the key: so many names are told apart in each. */
  within: readonly Column[];
  most: number;
  /** The name of all others together. */
  rest: string;
}

type StoredTables = Tables & LogTables;
type TableName = keyof StoredTables;
type ColumnName<Table extends TableName> = keyof StoredTables[Table] & string;
/** A row in which every column has its own name for a value. */
export type ColumnNames<Table extends TableName> = { readonly [Name in ColumnName<Table>]: Name };

/** A row on its way into a document. */
export interface ListedRow {
  readonly list: string;
  readonly cells: Value[];
}

interface StepDefinition<Table extends TableName, Column extends string> extends Omit<
  Step<Table, NoInfer<Column>>,
  "columns"
> {
  /** The cells of a row, in the order of the columns. */
  cells(row: ColumnNames<Table>): Column[];
}

/** The `cells` of a step whose columns are a list already, as fast as if they were written out. */
export function readerOf<Column extends string>(
  columns: readonly Column[],
): (row: { readonly [Name in Column]: Name }) => Column[] {
  const read = columns.map((column) => `row.${column}`);
  // Made once, of names that stand in the source.
  return new Function("row", `return [${read.join(", ")}]`) as ReturnType<typeof readerOf<Column>>;
}

/**
 * A step for a table of the schema. Its columns are those that `cells` reads: of a row of names it
 * returns the names, and of a row of the table the values. Reading properties outright costs a
 * third of looking each of them up by its name (measured), and it is done for every request. What
 * a thread gets of it, by structured clone, is the data.
 */
export class TableStep<
  const Table extends TableName = TableName,
  const Column extends ColumnName<Table> = ColumnName<Table>,
> implements Step<Table, Column> {
  readonly list: string;
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly action: Action<Column>;
  readonly lacking: Readonly<Partial<Record<Column, Value>>> | undefined;
  readonly #cells: (row: RowFor<Table, Column>) => Value[];

  constructor(step: StepDefinition<Table, Column>) {
    this.list = step.list;
    this.table = step.table;
    this.columns = step.cells(names as ColumnNames<Table>);
    this.action = step.action;
    this.lacking = step.lacking;
    this.#cells = step.cells as unknown as (row: RowFor<Table, Column>) => Value[];
  }

  cells(row: RowFor<Table, Column>): Value[] {
    return this.#cells(row);
  }

  /** For a document that somebody else makes. */
  listed(row: RowFor<Table, Column>): ListedRow {
    return { list: this.list, cells: this.#cells(row) };
  }

  /** Cells of its list in a document. */
  allCells(rows: Iterable<RowFor<Table, Column>>): Value[][] {
    const all: Value[][] = [];
    for (const row of rows) all.push(this.#cells(row));
    return all;
  }
}

/** A row for a step. */
type RowFor<Table extends TableName, Column extends ColumnName<Table>> = {
  readonly [Name in Column]: StoredTables[Table][Name];
};
export type RowOf<S> = S extends { cells(row: infer Row): Value[] } ? Row : never;

const names: object = new Proxy({}, { get: (_row, name) => name });
