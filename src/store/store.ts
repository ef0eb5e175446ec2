// The program's view of its database: statements in, rows out, commits that are whole or not at
// all. There are no interactive transactions: a commit is a list, decided up front.

import { DependencyError } from "../core/errors.ts";
import type { CommitRounds } from "./turns.ts";
import type { DialectName } from "./dialect.ts";
import type { Sharing } from "./sharing.ts";

export type Value = string | number | null;
export type Row = Readonly<Record<string, Value>>;

export interface Statement {
  sql: string;
  parameters: readonly Value[];
  /** The commit is undone unless exactly this many rows change. */
  changes?: number;
}

export interface ProgramRun {
  program: string;
  /** The document as JSON text. */
  document: string;
  /** Document of the log's program that stands or falls with it. */
  logged?: string | undefined;
}

/** written survives the death of the process, synced also the loss of power. */
type Gate = "written" | "synced";

export interface Commit {
  run?: ProgramRun;
  statements?: readonly Statement[];
}

export interface LogCommit {
  /** Documents of the log's program. */
  documents?: readonly string[];
  statements?: readonly Statement[];
}

export interface Store {
  /** Sharing with other nodes of the database. */
  readonly sharing?: Sharing | undefined;
  /** Rounds of nodes that share the ledger. */
  readonly turns?: CommitRounds | undefined;
  /** The words that its statements are written in. */
  readonly dialect: DialectName;
  /** Rows of the main database. */
  read(statement: Statement): Promise<Row[]>;
  /**
   * Journals a run. It is kept from the moment this resolves, and shows in reads a little later:
   * whoever needs it there sooner waits for `applied`.
   */
  append(run: ProgramRun, gate: Gate): Promise<void>;
  /** One atomic unit, synced and applied when it resolves, with the rows of each statement. */
  commit(commit: Commit): Promise<Row[][]>;
  /** Resolves when reads show everything appended so far. */
  applied(): Promise<void>;
  /**
   * The usage log lives in a database of its own, which takes what is logged from the same journal,
   * always behind the main one.
   */
  readLog(statement: Statement): Promise<Row[]>;
  /** Resolves when reads of the log show everything appended so far, or it cannot be written. */
  logApplied(): Promise<void>;
  writeLog(commit: LogCommit): Promise<void>;
  close(): Promise<void>;
}

export type StoreFaultKind = "constraint" | "conflict" | "full" | "io" | "closed" | "other";

const awayKinds: ReadonlySet<StoreFaultKind> = new Set(["io", "full", "closed"]);

export class StoreError extends DependencyError {
  override readonly name = "StoreError";
  readonly kind: StoreFaultKind;

  constructor(kind: StoreFaultKind, message: string) {
    super(message);
    this.kind = kind;
  }

  get isAway(): boolean {
    return awayKinds.has(this.kind);
  }
}
