// A step of a program on its connection. New rows go in by one statement for many of them, which
// costs less for each.
import type { Database, Statement as Prepared } from "bun:sqlite";
import { StoreError, type Step, type Value } from "../store.ts";

type PreparedStep = Prepared<unknown, Value[]>;

/** With more rows in a statement there is no more to gain. */
const rowsAtOnce = 32;

export class ProgramStep {
  readonly list: string;
  readonly #database: Database;
  readonly #step: Step;
  readonly #one: PreparedStep;
  #many: PreparedStep | null = null;

  constructor(database: Database, step: Step) {
    this.list = step.list;
    this.#database = database;
    this.#step = step;
    this.#one = this.#prepare(1);
  }

  run(rows: readonly Value[][]): void {
    let from = 0;
    if ("into" in this.#step && rows.length >= rowsAtOnce) {
      this.#many ??= this.#prepare(rowsAtOnce);
      for (; from + rowsAtOnce <= rows.length; from += rowsAtOnce) {
        this.#runRows(this.#many, rows.slice(from, from + rowsAtOnce));
      }
    }
    for (; from < rows.length; from++) this.#runRows(this.#one, rows.slice(from, from + 1));
  }

  #runRows(statement: PreparedStep, rows: readonly Value[][]): void {
    const count = this.#one.paramsCount;
    const isShort = rows.some((row) => row.length < count);
    const cells = isShort ? rows.map((row) => inFull(row, count)) : rows;
    const { changes } = statement.run(...cells.flat());
    if (changes === rows.length || ("rows" in this.#step && this.#step.rows === "any")) return;
    const first = String(rows[0]?.[0]);
    throw new StoreError("conflict", `${this.list} from ${first} on: ${changes} rows changed`);
  }

  #prepare(rows: number): PreparedStep {
    const step = this.#step;
    if ("sql" in step) return this.#database.prepare(step.sql);
    const values = Array<string>(rows).fill(step.values).join(", ");
    // A commit is undone whole, so SQLite need not keep what would undo this statement alone.
    return this.#database.prepare(`insert or rollback into ${step.into} values ${values}`);
  }
}

/** A record of a program from before an upgrade may not have the last cells yet. */
function inFull(row: Value[], count: number): Value[] {
  if (row.length >= count) return row;
  return [...row, ...Array<Value>(count - row.length).fill(null)];
}
