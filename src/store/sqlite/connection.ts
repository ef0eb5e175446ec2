// One SQLite connection and what is done with it, synchronously. Runs inside the threads of this
// folder, and directly inside simulations and the command line's read-only checks.
import { Database, type Statement as Prepared } from "bun:sqlite";
import { migrate } from "../migrate.ts";
import {
  StoreError,
  type Program,
  type ProgramRun,
  type Row,
  type Statement,
  type Value,
} from "../store.ts";
import { toStoreError } from "./store-error.ts";

export interface ConnectionOptions {
  path: string;
  readOnly?: boolean;
  programs?: Readonly<Record<string, Program>>;
}

type PreparedRow = Prepared<Row, Value[]>;

export class Connection {
  readonly #database: Database;
  readonly #programs = new Map<string, PreparedRow[]>();
  #synchronous: "normal" | "full" = "normal";

  constructor({ path, readOnly = false, programs = {} }: ConnectionOptions) {
    this.#database = new Database(path, { create: !readOnly, readonly: readOnly, strict: true });
    this.#database.run("pragma busy_timeout = 2000");
    if (!readOnly) {
      this.#database.run("pragma journal_mode = wal");
      this.#database.run("pragma synchronous = normal");
      // Checkpoints belong to another thread; here they would be the tail of the latency.
      this.#database.run("pragma wal_autocheckpoint = 0");
      this.#database.run("pragma foreign_keys = on");
    }
    this.#sources = programs;
  }

  readonly #sources: Readonly<Record<string, Program>>;

  migrate(versions: readonly (readonly string[])[]): void {
    migrate(
      {
        version: () =>
          Number(this.all({ sql: "pragma user_version", parameters: [] })[0]?.["user_version"]),
        apply: (version, statements) =>
          this.#transaction(() => {
            for (const sql of statements) this.#database.run(sql);
            this.#database.run(`pragma user_version = ${version}`);
          }),
      },
      versions,
    );
  }

  all({ sql, parameters }: Statement): Row[] {
    return this.#guard(() => this.#database.query<Row, Value[]>(sql).all(...parameters));
  }

  /** Runs everything in one transaction; an unexpected count of changes undoes it. */
  commit(runs: readonly ProgramRun[], statements: readonly Statement[], sync: boolean): Row[][] {
    this.#setSynchronous(sync ? "full" : "normal");
    return this.#guard(() =>
      this.#transaction(() => {
        const byProgram = Map.groupBy(runs, (run) => run.program);
        for (const [program, group] of byProgram) {
          this.#runProgram(
            program,
            group.map((run) => run.document),
          );
        }
        return statements.map((statement) => this.#runStatement(statement));
      }),
    );
  }

  /** Copies committed pages from the write-ahead log into the database file. */
  checkpoint(mode: "passive" | "truncate"): void {
    this.#database.run(`pragma wal_checkpoint(${mode})`);
  }

  close(): void {
    this.#database.close();
  }

  #runProgram(name: string, documents: readonly string[]): void {
    const program = this.#sources[name];
    if (!program) throw new StoreError("other", `unknown program ${name}`);
    const parsed = documents.map((document): Lists => JSON.parse(document));
    if (program.undone) dropUndone(parsed, program.undone);
    const lists = mergeDocuments(parsed);
    for (const name of program.summed ?? []) lists.set(name, addUp(lists.get(name) ?? []));
    for (const [at, { list, rows }] of program.steps.entries()) {
      const statement = this.#prepared(name, program)[at];
      for (const row of lists.get(list) ?? []) {
        if (!statement) continue;
        const changes = statement.run(...inFull(row, statement.paramsCount)).changes;
        if (changes === 1 || rows === "any") continue;
        throw new StoreError("conflict", `${list} of ${name}: ${String(row[0])} changed nothing`);
      }
    }
  }

  #prepared(name: string, { steps }: Program): PreparedRow[] {
    const known = this.#programs.get(name);
    if (known) return known;
    const statements = steps.map(({ sql }) => this.#database.prepare<Row, Value[]>(sql));
    this.#programs.set(name, statements);
    return statements;
  }

  #runStatement({ sql, parameters, changes }: Statement): Row[] {
    const statement = this.#database.query<Row, Value[]>(sql);
    if (statement.columnNames.length > 0) {
      const rows = statement.all(...parameters);
      expectChanges(changes, rows.length);
      return rows;
    }
    expectChanges(changes, statement.run(...parameters).changes);
    return [];
  }

  #transaction<Result>(work: () => Result): Result {
    this.#database.run("begin immediate");
    try {
      const result = work();
      this.#database.run("commit");
      return result;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.run("rollback");
      throw error;
    }
  }

  #setSynchronous(mode: "normal" | "full"): void {
    if (mode === this.#synchronous) return;
    this.#database.run(`pragma synchronous = ${mode}`);
    this.#synchronous = mode;
  }

  #guard<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

type Lists = Record<string, Value[][] | undefined>;

/** A record of a program from before an upgrade may not have the last cells yet. */
function inFull(row: Value[], count: number): Value[] {
  if (row.length >= count) return row;
  return [...row, ...Array<Value>(count - row.length).fill(null)];
}

function mergeDocuments(documents: readonly Lists[]): Map<string, Value[][]> {
  const merged = new Map<string, Value[][]>();
  for (const lists of documents) {
    for (const [name, rows = []] of Object.entries(lists)) {
      const known = merged.get(name);
      if (known) for (const row of rows) known.push(row);
      else merged.set(name, rows);
    }
  }
  return merged;
}

/** One row for each first cell; a sum that cannot be counted exactly stays in its parts. */
function addUp(rows: readonly Value[][]): Value[][] {
  const sums = new Map<Value | undefined, Value[]>();
  const rest: Value[][] = [];
  for (const row of rows) {
    const known = sums.get(row[0]);
    const sum = known?.map((cell, at) => (at === 0 ? cell : Number(cell) + Number(row[at])));
    if (!sum) sums.set(row[0], row);
    else if (sum.every((cell, at) => at === 0 || Number.isSafeInteger(cell))) sums.set(row[0], sum);
    else rest.push(row);
  }
  return [...sums.values(), ...rest];
}

/**
 * What came and went within one commit never needs to touch its table. Only pairs are dropped: an
 * id that is made again afterwards stays, and so does the end of what was there before.
 */
function dropUndone(documents: readonly Lists[], [made, unmade]: readonly [string, string]): void {
  const open = new Map<Value | undefined, Value[][]>();
  const undone = new Set<Value[]>();
  for (const lists of documents) {
    for (const row of lists[made] ?? []) {
      const known = open.get(row[0]);
      if (known) known.push(row);
      else open.set(row[0], [row]);
    }
    for (const row of lists[unmade] ?? []) {
      const match = open.get(row[0])?.pop();
      if (match) undone.add(match).add(row);
    }
  }
  if (undone.size === 0) return;
  for (const lists of documents) {
    for (const name of [made, unmade]) lists[name] = lists[name]?.filter((row) => !undone.has(row));
  }
}

function expectChanges(expected: number | undefined, actual: number): void {
  if (expected === undefined || expected === actual) return;
  throw new StoreError("conflict", `${actual} rows changed instead of ${expected}`);
}
