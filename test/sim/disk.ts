// The disk: the real tables and the real SQL in memory, and the journal's file as text. Loss of
// power takes what was not synced, a death in the middle of a write leaves a torn line, and a full
// database is a real limit on its pages.
import { Database } from "bun:sqlite";
import { writeFileSync } from "node:fs";
import { ledgerProgram } from "../../src/quota/queries.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { encodeRecord, readJournal } from "../../src/store/sqlite/journal-file.ts";
import { mainVersions } from "../../src/store/sqlite/open.ts";
import type { Program, ProgramRun, Row, Statement } from "../../src/store/store.ts";
import { accountRows } from "./account-rows.ts";
import type { Terms } from "./book.ts";
import type { Dice } from "./dice.ts";

// The checks use more statements than are kept prepared by default.
Database.MAX_QUERY_CACHE_SIZE = 64;

const versions = mainVersions();
const pagesMax = 1_000_000;

export interface DiskParts {
  terms: Terms;
  program: Program;
  /** Where a start finds the journal's file. */
  journalPath: string;
  /** Told when everything written so far survives a loss of power. */
  synced(): void;
}

export class Disk {
  readonly #parts: DiskParts;
  readonly #connection: Connection;
  #sequence = 0;
  #pending: ProgramRun[] = [];
  #text = "";
  #safeLength = 0;
  /** What the file held before it was cleared, as long as a loss of power can bring it back. */
  #cleared = "";

  constructor(parts: DiskParts) {
    this.#parts = parts;
    const programs = { [ledgerProgram]: parts.program };
    this.#connection = new Connection({ path: ":memory:", programs });
    this.#connection.migrate(versions);
    this.#connection.commit([], accountRows(parts.terms), true);
  }

  read(statement: Statement): Row[] {
    return this.#connection.all(statement);
  }

  /** Keeps the record in the journal's file. */
  append(run: ProgramRun, sync: boolean): void {
    this.#text += encodeRecord({ sequence: ++this.#sequence, run });
    this.#pending.push(run);
    if (!sync) return;
    this.#safeLength = this.#text.length;
    this.#cleared = "";
    this.#parts.synced();
  }

  /** Takes over what was appended into the database, with the statements behind it, and syncs. */
  commit(statements: readonly Statement[]): void {
    this.#apply(statements);
    this.#parts.synced();
  }

  /** A full database takes what fits into the pages it has. */
  setFull(isFull: boolean): void {
    // The engine raises the limit to the pages in use, so 1 means that it cannot grow.
    const pages = isFull ? 1 : pagesMax;
    this.read({ sql: `pragma max_page_count = ${pages}`, parameters: [] });
  }

  /** The process dies, perhaps while it was writing a record. */
  dieWriting(run: ProgramRun | null, dice: Dice): void {
    if (!run) return;
    const line = encodeRecord({ sequence: this.#sequence + 1, run });
    this.#text += line.slice(0, dice.between(0, line.length - 1));
  }

  /** Any beginning of what was not synced may be left, and a file just cleared may come back. */
  losePower(dice: Dice): void {
    const isBack = this.#cleared !== "" && dice.chance(0.3);
    const left = dice.between(this.#safeLength, this.#text.length);
    this.#text = isBack ? this.#cleared : this.#text.slice(0, left);
  }

  /** What a start finds in the file and the database does not have yet goes into it. */
  start(): void {
    writeFileSync(this.#parts.journalPath, this.#text);
    const [state] = this.read({ sql: "select sequence from journal_state", parameters: [] });
    this.#sequence = Number(state?.["sequence"]);
    this.#pending = [];
    for (const { sequence, run } of readJournal(this.#parts.journalPath)) {
      if (sequence <= this.#sequence) continue;
      this.#sequence = sequence;
      this.#pending.push(run);
    }
    this.#apply([]);
  }

  close(): void {
    this.#connection.close();
  }

  #apply(statements: readonly Statement[]): void {
    const advance = { sql: "update journal_state set sequence = ?", parameters: [this.#sequence] };
    this.#connection.commit(this.#pending, [...statements, advance], true);
    this.#pending = [];
    if (this.#text !== "") this.#cleared = this.#text;
    this.#text = "";
    this.#safeLength = 0;
  }
}
