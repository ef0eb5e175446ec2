// What the rest of the program knows of its database: statements in, rows out, commits that are
// whole or not at all. There are no interactive transactions: a commit is a list, decided up front.

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  sql: string;
  parameters: readonly Value[];
  /** The commit is undone unless exactly this many rows change. */
  changes?: number;
}

/** Statements prepared once; each reads what it needs from one JSON document, its only parameter. */
export type Program = readonly string[];

export interface ProgramRun {
  program: string;
  document: string;
  /** How many rows each statement of the program must change. */
  counts: readonly number[];
}

/** written survives the death of the process, synced also the loss of power. */
export type Gate = "written" | "synced";

export interface Commit {
  run?: ProgramRun;
  statements?: readonly Statement[];
  gate: Gate;
}

export interface Store {
  /** Rows of the main database. */
  read(statement: Statement): Promise<Row[]>;
  /** One atomic unit. Resolves when the gate is passed, with the rows of each statement. */
  commit(commit: Commit): Promise<Row[][]>;
  /** The usage log lives in a database of its own, so that it never waits for money. */
  readLog(statement: Statement): Promise<Row[]>;
  writeLog(statement: Statement): Promise<void>;
  close(): Promise<void>;
}

export type StoreFaultKind = "constraint" | "conflict" | "full" | "io" | "closed" | "other";

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly kind: StoreFaultKind;

  constructor(kind: StoreFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
