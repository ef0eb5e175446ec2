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
  type StoreFaultKind,
  type Value,
} from "../store.ts";

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
  commit(run: ProgramRun | undefined, statements: readonly Statement[], sync: boolean): Row[][] {
    this.#setSynchronous(sync ? "full" : "normal");
    return this.#guard(() =>
      this.#transaction(() => {
        if (run) this.#runProgram(run);
        return statements.map((statement) => this.#runStatement(statement));
      }),
    );
  }

  /** Copies committed pages from the write-ahead log into the database file. */
  checkpoint(mode: "passive" | "truncate"): void {
    this.#database.run(`pragma wal_checkpoint(${mode})`);
  }

  serialize(): Uint8Array {
    return this.#database.serialize();
  }

  close(): void {
    this.#database.close();
  }

  #runProgram({ program, document, counts }: ProgramRun): void {
    const statements = this.#prepared(program);
    for (const [at, statement] of statements.entries()) {
      const expected = counts[at] ?? 0;
      if (expected === 0) continue;
      const { changes } = statement.run(document);
      if (changes !== expected) {
        throw new StoreError(
          "conflict",
          `statement ${at} of ${program} changed ${changes} rows instead of ${expected}`,
        );
      }
    }
  }

  #prepared(program: string): PreparedRow[] {
    const known = this.#programs.get(program);
    if (known) return known;
    const source = this.#sources[program];
    if (!source) throw new StoreError("other", `unknown program ${program}`);
    const statements = source.map((sql) => this.#database.prepare<Row, Value[]>(sql));
    this.#programs.set(program, statements);
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

function expectChanges(expected: number | undefined, actual: number): void {
  if (expected === undefined || expected === actual) return;
  throw new StoreError("conflict", `${actual} rows changed instead of ${expected}`);
}

export function toStoreError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (!(error instanceof Error)) return new StoreError("other", String(error));
  return new StoreError(faultKind("code" in error ? String(error.code) : ""), error.message);
}

function faultKind(code: string): StoreFaultKind {
  if (code.startsWith("SQLITE_CONSTRAINT")) return "constraint";
  if (code.startsWith("SQLITE_FULL")) return "full";
  if (code.startsWith("SQLITE_IOERR") || code.startsWith("SQLITE_READONLY")) return "io";
  return "other";
}
