// One SQLite connection and what is done with it, synchronously. Runs inside the threads of this
// folder, and directly inside simulations and the command line's read-only checks.
import { Database } from "bun:sqlite";
import { migrate } from "../migrate.ts";
import type { Program } from "../step.ts";
import { StoreError, type ProgramRun, type Row, type Statement, type Value } from "../store.ts";
import { mergeDocuments } from "./documents.ts";
import { prepareSteps, type PreparedStep } from "./prepare-steps.ts";
import { toStoreError } from "./store-error.ts";

interface ConnectionNeeds {
  path: string;
  readOnly?: boolean;
  programs?: Readonly<Record<string, Program>>;
  /** Part of the file that is kept in memory; by itself it is 2000. */
  cacheKib?: number;
}

export class SqliteConnection {
  readonly #database: Database;
  readonly #sources: Readonly<Record<string, Program>>;
  readonly #programs = new Map<string, PreparedStep[]>();
  #synchronous: "normal" | "full" = "normal";

  constructor({ path, readOnly = false, programs = {}, cacheKib }: ConnectionNeeds) {
    this.#database = new Database(path, { create: !readOnly, readonly: readOnly, strict: true });
    this.#database.run("pragma busy_timeout = 2000");
    if (cacheKib !== undefined) this.#database.run(`pragma cache_size = -${cacheKib}`);
    if (!readOnly) {
      this.#database.run("pragma journal_mode = wal");
      this.#database.run("pragma synchronous = normal");
      // Checkpoints belong to another thread; here they would be the tail of the latency.
      this.#database.run("pragma wal_autocheckpoint = 0");
      this.#database.run("pragma foreign_keys = on");
      this.#database.run("pragma temp_store = memory");
      // Leave nothing of what is deleted or sealed later in the pages that it was in.
      this.#database.run("pragma secure_delete = fast");
    }
    this.#sources = programs;
  }

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
    const lists = mergeDocuments(documents, program);
    for (const step of this.#prepared(name, program)) step.run(lists.get(step.list) ?? []);
  }

  #prepared(name: string, program: Program): PreparedStep[] {
    const known = this.#programs.get(name);
    if (known) return known;
    const prepared = prepareSteps(this.#database, program);
    this.#programs.set(name, prepared);
    return prepared;
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

function expectChanges(expected: number | undefined, actual: number): void {
  if (expected === undefined || expected === actual) return;
  throw new StoreError("conflict", `${actual} rows changed instead of ${expected}`);
}
