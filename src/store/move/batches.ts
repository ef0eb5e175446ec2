// Rows of a table in the order of its key, so many at once, as lists of cells.
import { storableDocument } from "../postgres/storable.ts";
import type { Row, Statement, Store, Value } from "../store.ts";
import type { TableShape } from "./shapes.ts";
import { rowsBehind } from "./words.ts";

export interface RowBatch {
  /** Each as JSON, as either engine keeps it. */
  rows: string[];
  /** The key of the last of them. */
  last: readonly Value[];
  /** Sums of the columns of money. */
  micros: ReadonlyMap<string, bigint>;
}

export interface BatchBounds {
  rowsMax: number;
  charactersMax: number;
}

/** Null behind the last row. What has one and the same key is never torn apart. */
export async function readBatch(
  store: Store,
  table: TableShape,
  after: readonly Value[] | null,
  { rowsMax, charactersMax }: BatchBounds,
): Promise<RowBatch | null> {
  for (let limit = rowsMax + 1; ; limit *= 2) {
    const rows = await readTable(store, table, rowsBehind(store.dialect, table, { after, limit }));
    if (rows.length === 0) return null;
    const texts = rows.map((row) => toText(table, row));
    const keys = rows.map((row) => JSON.stringify(keyOf(table, row)));
    const isLast = rows.length < limit;
    const most = Math.min(isLast ? rows.length : rowsMax, within(texts, charactersMax));
    const count = cutBetweenKeys(keys, most);
    if (count === rows.length && !isLast) continue;
    return toBatch(table, rows.slice(0, count), texts.slice(0, count));
  }
}

/** Not more than `most`, unless what has the first key alone is more. */
export function cutBetweenKeys(keys: readonly string[], most: number): number {
  let count = most;
  while (count > 0 && count < keys.length && keys[count] === keys[count - 1]) count--;
  if (count > 0) return count;
  const next = keys.findIndex((key) => key !== keys[0]);
  return next === -1 ? keys.length : next;
}

export async function readTable(
  store: Store,
  { isLog }: TableShape,
  statement: Statement,
): Promise<Row[]> {
  return isLog ? await store.readLog(statement) : await store.read(statement);
}

function toBatch(table: TableShape, rows: readonly Row[], texts: string[]): RowBatch {
  const [last = {}] = rows.slice(-1);
  const money = table.columns.filter(({ name, isInteger }) => isInteger && name.endsWith("micros"));
  const micros = new Map(
    money.map(({ name }) => [
      name,
      rows.reduce((sum, row) => sum + BigInt(Number(row[name] ?? 0)), 0n),
    ]),
  );
  return { rows: texts, last: keyOf(table, last), micros };
}

function keyOf({ key }: TableShape, row: Row): Value[] {
  return key.map((name) => row[name] ?? null);
}

/** PostgreSQL takes neither the character 0 nor halves of characters. */
function toText({ columns }: TableShape, row: Row): string {
  return storableDocument(JSON.stringify(columns.map(({ name }) => row[name] ?? null)));
}

/** At least one. */
function within(texts: readonly string[], charactersMax: number): number {
  let characters = 0;
  const past = texts.findIndex((text) => (characters += text.length) > charactersMax);
  return past === -1 ? texts.length : Math.max(1, past);
}
