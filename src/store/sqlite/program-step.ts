// A step of a program on its connection. New rows go in by one statement for many of them, which
// costs less for each.
import type { Database, Statement as Prepared } from "bun:sqlite";
import type { Step } from "../step.ts";
import { StoreError, type Value } from "../store.ts";
import { compileStep } from "./compile-step.ts";

type PreparedStep = Prepared<unknown, Value[]>;

/** With more rows in a statement there is no more to gain. */
const rowsAtOnce = 32;

export class ProgramStep {
  readonly #database: Database;
  readonly #step: Step;
  readonly #one: PreparedStep;
  #many: PreparedStep | null = null;

  constructor(database: Database, step: Step) {
    this.#database = database;
    this.#step = step;
    this.#one = database.prepare(compileStep(step));
  }

  get list(): string {
    return this.#step.list;
  }

  run(rows: readonly Value[][]): void {
    let from = 0;
    if (this.#step.action.kind === "insert" && rows.length >= rowsAtOnce) {
      this.#many ??= this.#database.prepare(compileStep(this.#step, rowsAtOnce));
      for (; from + rowsAtOnce <= rows.length; from += rowsAtOnce) {
        this.#runRows(this.#many, rows.slice(from, from + rowsAtOnce));
      }
    }
    for (; from < rows.length; from++) this.#runRows(this.#one, rows.slice(from, from + 1));
  }

  #runRows(statement: PreparedStep, rows: readonly Value[][]): void {
    const count = this.#step.columns.length;
    const isShort = rows.some((row) => row.length < count);
    const cells = isShort ? rows.map((row) => this.#inFull(row)) : rows;
    const { changes } = statement.run(...cells.flat());
    if (changes === rows.length || this.#step.action.kind === "ensure") return;
    const first = String(rows[0]?.[0]);
    throw new StoreError("conflict", `${this.list} from ${first} on: ${changes} rows changed`);
  }

  /** A record of a program from before an upgrade may not have the last cells yet. */
  #inFull(row: readonly Value[]): Value[] {
    const { columns, lacking = {} } = this.#step;
    return columns.map((column, at) => row[at] ?? lacking[column] ?? null);
  }
}
