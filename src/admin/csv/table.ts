// A list as the lines of a file: read in pages as it is taken, never as a whole.
import { csvLine, type CsvCell } from "../../core/csv.ts";
import type { Operator } from "../../identity/caller.ts";
import type { RecordNeeds } from "../record-needs.ts";

/** The rows of one page after the other. */
interface CsvTable {
  columns: readonly string[];
  pages: AsyncIterable<readonly object[]>;
}

export type OpenTable<Query> = (
  needs: RecordNeeds,
  operator: Operator,
  query: Query,
) => Promise<CsvTable>;

/** A file with more than this is of no use to anybody. */
const rowsMax = 1_000_000;
/** Rows read at once. */
export const pageRows = 1000;

export async function* csvPieces({ columns, pages }: CsvTable): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let left = rowsMax;
  yield encoder.encode(csvLine(columns));
  for await (const rows of pages) {
    const some = rows.slice(0, left);
    left -= some.length;
    if (some.length > 0) {
      const lines = some.map((row) => csvLine(columns.map((column) => cellOf(row, column))));
      yield encoder.encode(lines.join(""));
    }
    if (left === 0) return;
  }
}

function cellOf(row: object, column: string): CsvCell {
  const value: unknown = Reflect.get(row, column);
  if (value === null || value === undefined) return null;
  if (typeof value === "object") return JSON.stringify(value);
  if (typeof value === "number" && (column === "time" || column === "at")) {
    return new Date(value * 1000).toISOString();
  }
  return typeof value === "number" || typeof value === "boolean" ? value : String(value);
}
