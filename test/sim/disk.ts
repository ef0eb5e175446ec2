// State that outlives a process: the real tables with the real SQL, in memory, and the journal's
// folder. A full database is a real limit on its pages.
import { Database } from "bun:sqlite";
import { usageSteps } from "../../src/observe/queries.ts";
import { usageLogMigrations } from "../../src/observe/versions/queries.ts";
import { ledgerProgram } from "../../src/quota/queries.ts";
import { SqliteConnection } from "../../src/store/sqlite/connection.ts";
import { toVersions } from "../../src/store/sqlite/dialect.ts";
import { logProgramName } from "../../src/store/sqlite/log-taker.ts";
import type { Program } from "../../src/store/step.ts";
import type { Row, Statement } from "../../src/store/store.ts";
import { accountRows } from "./account-rows.ts";
import type { Terms } from "./book.ts";
import type { Dice } from "./dice.ts";
import { mainTables } from "./schema.ts";
import { SimulatedFolder } from "./simulated-folder.ts";

// The checks use more statements than are kept prepared by default.
Database.MAX_QUERY_CACHE_SIZE = 64;

const versions = mainTables();
/** One for all seeds, emptied for each: to make its tables anew would take most of the time. */
const log = new SqliteConnection({
  path: ":memory:",
  programs: { [logProgramName]: usageSteps },
});
log.migrate(toVersions(usageLogMigrations));
const emptied = [
  "delete from usage_log",
  "delete from usage_day",
  "delete from usage_channel_day",
  "delete from usage_label_day",
  "update journal_state set sequence = 0",
].map((sql) => ({ sql, parameters: [] }));
const pagesMax = 1_000_000;

export interface DiskParts {
  terms: Terms;
  program: Program;
  dice: Dice;
}

export class Disk {
  readonly connection: SqliteConnection;
  readonly log = log;
  readonly folder: SimulatedFolder;
  #isFull = false;

  constructor({ terms, program, dice }: DiskParts) {
    this.folder = new SimulatedFolder(dice);
    this.connection = new SqliteConnection({
      path: ":memory:",
      programs: { [ledgerProgram]: program },
    });
    this.connection.migrate(versions);
    this.connection.commit([], accountRows(terms), true);
    log.commit([], emptied, false);
  }

  read(statement: Statement): Row[] {
    return this.connection.all(statement);
  }

  get appliedSequence(): number {
    return sequenceIn(this.connection);
  }

  get loggedSequence(): number {
    return sequenceIn(this.log);
  }

  /** A full database takes what fits into the pages it has. */
  setFull(isFull: boolean): void {
    if (isFull === this.#isFull) return;
    this.#isFull = isFull;
    // The engine raises the limit to the pages in use, so 1 means that it cannot grow.
    const pages = isFull ? 1 : pagesMax;
    this.read({ sql: `pragma max_page_count = ${pages}`, parameters: [] });
    this.folder.refusal = isFull ? 0.7 : 0;
  }

  close(): void {
    this.connection.close();
  }
}

function sequenceIn(connection: SqliteConnection): number {
  const [state] = connection.all({ sql: "select sequence from journal_state", parameters: [] });
  return Number(state?.["sequence"]);
}
