// The steps of a program, as data that each engine compiles for itself. A step names its columns
// once, and a row for it is an object of just these, typed by the schema: the order in which cells
// are encoded is known to `toCells` and to the engines alone.
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
   * step is never moved, and a new one comes last.
   */
  columns: readonly Column[];
  action: Action<Column>;
  /** What rows have that were written before the column was added; null if it is not said here. */
  lacking?: Readonly<Partial<Record<Column, Value>>>;
}

/** What is done, in this order, with a document, which is an object of named lists of rows. */
export type Program = readonly Step[];

type Action<Column extends string> =
  /** A new row; `also` has the columns that follow from the others. */
  | { kind: "insert"; also?: Readonly<Record<string, Fragment>> }
  /** A new row, in place of the one with the same key. */
  | { kind: "replace"; key: readonly Column[] }
  /** Adds the cells to what the row with the key has; rows of one key are added up before. */
  | { kind: "add"; key: readonly Column[] }
  /** The same up to a maximum, and with a new row where there is none. */
  | { kind: "accumulate"; key: readonly Column[]; max: number }
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

type StoredTables = Tables & LogTables;
type TableName = keyof StoredTables;
type ColumnName<Table extends TableName> = keyof StoredTables[Table] & string;

/** A row for a step. */
export type RowFor<Table extends TableName, Column extends ColumnName<Table>> = {
  readonly [Name in Column]: StoredTables[Table][Name];
};
export type RowOf<S> =
  S extends Step<infer Table extends TableName, infer Column>
    ? RowFor<Table, Column & ColumnName<Table>>
    : never;

/** A row on its way into a document. */
export interface ListedRow {
  readonly list: string;
  readonly cells: Value[];
}

export function defineStep<const Table extends TableName, const Column extends ColumnName<Table>>(
  step: Step<Table, Column>,
): Step<Table, Column> {
  return step;
}

export function toCells<Table extends TableName, Column extends ColumnName<Table>>(
  { columns }: Step<Table, Column>,
  row: NoInfer<RowFor<Table, Column> & Readonly<Record<Column, Value>>>,
): Value[] {
  return columns.map((column) => row[column]);
}

/** Rows of one list of a document. */
export function toList<Table extends TableName, Column extends ColumnName<Table>>(
  step: Step<Table, Column>,
  rows: Iterable<NoInfer<RowFor<Table, Column> & Readonly<Record<Column, Value>>>>,
): Record<string, Value[][]> {
  return { [step.list]: Array.from(rows, (row) => toCells(step, row)) };
}

export function toListed<Table extends TableName, Column extends ColumnName<Table>>(
  step: Step<Table, Column>,
  row: NoInfer<RowFor<Table, Column> & Readonly<Record<Column, Value>>>,
): ListedRow {
  return { list: step.list, cells: toCells(step, row) };
}
