// The thread that owns the database, in steps, so that a crash can fall between any two.
import type { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import type { JournalDatabase } from "../../src/store/sqlite/journal.ts";
import { StoreError, type ProgramRun, type Row, type Statement } from "../../src/store/store.ts";

interface Call {
  runs: readonly ProgramRun[];
  statements: readonly Statement[];
  resolve(rows: Row[][]): void;
  reject(error: unknown): void;
  /** Tells the caller what became of it; null while the call waits. */
  answer: (() => void) | null;
}

export class DatabaseThread implements JournalDatabase {
  readonly #connection: SqliteConnection;
  #calls: Call[] = [];
  #isCut = false;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  get isIdle(): boolean {
    return this.#calls.length === 0;
  }

  commit(runs: readonly ProgramRun[], statements: readonly Statement[]): Promise<Row[][]> {
    const { promise, resolve, reject } = Promise.withResolvers<Row[][]>();
    if (!this.#isCut) this.#calls.push({ runs, statements, resolve, reject, answer: null });
    return promise;
  }

  /** Takes the oldest call one step on: to the database, or its outcome back to the caller. */
  step(passage: "smooth" | "refused"): void {
    const [call] = this.#calls;
    if (!call) return;
    if (call.answer) {
      this.#calls.shift();
      call.answer();
      return;
    }
    try {
      if (passage === "refused") throw new StoreError("full", "there is no space left");
      const rows = this.#connection.commit(call.runs, call.statements, true);
      call.answer = () => call.resolve(rows);
    } catch (error) {
      call.answer = () => call.reject(error);
    }
  }

  /** The process is dead: what waits is never done, and nothing is heard of what is done. */
  cut(): void {
    this.#isCut = true;
    this.#calls = [];
  }
}
