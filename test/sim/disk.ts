// The disk: the real tables and the real SQL in memory. Losing power is replaying what was synced
// into a new database; being full is a real limit on its pages.
import { ledgerProgram } from "../../src/quota/queries.ts";
import { Connection } from "../../src/store/sqlite/connection.ts";
import { mainVersions } from "../../src/store/sqlite/open.ts";
import type { Program, ProgramRun, Row, Statement } from "../../src/store/store.ts";
import type { Terms } from "./book.ts";

const versions = mainVersions();
const pagesMax = 1_000_000;

interface Committed {
  run: ProgramRun | undefined;
  statements: readonly Statement[];
}

export class Disk {
  readonly #program: Program;
  readonly #synced: () => void;
  #connection: Connection;
  #committed: Committed[] = [];
  #syncedCount = 0;

  constructor(terms: Terms, program: Program, synced: () => void) {
    this.#program = program;
    this.#synced = synced;
    this.#connection = this.#open();
    this.commit(undefined, rowsOf(terms), true);
  }

  read(statement: Statement): Row[] {
    return this.#connection.all(statement);
  }

  commit(run: ProgramRun | undefined, statements: readonly Statement[], sync: boolean): Row[][] {
    const rows = this.#connection.commit(run, statements, sync);
    this.#committed.push({ run, statements });
    if (sync) {
      this.#syncedCount = this.#committed.length;
      this.#synced();
    }
    return rows;
  }

  /** A full disk takes what fits into the pages it has. */
  setFull(isFull: boolean): void {
    // The engine raises the limit to the pages in use, so 1 means that it cannot grow.
    const pages = isFull ? 1 : pagesMax;
    this.read({ sql: `pragma max_page_count = ${pages}`, parameters: [] });
  }

  losePower(): void {
    this.close();
    this.#connection = this.#open();
    this.#committed = this.#committed.slice(0, this.#syncedCount);
    for (const { run, statements } of this.#committed)
      this.#connection.commit(run, statements, true);
  }

  close(): void {
    this.#connection.close();
  }

  #open(): Connection {
    const programs = { [ledgerProgram]: this.#program };
    const connection = new Connection({ path: ":memory:", programs });
    connection.migrate(versions);
    return connection;
  }
}

function rowsOf({ accounts, keys }: Terms): Statement[] {
  return [
    {
      sql: `insert into account (id, username, password_hash, role, group_name, status,
              created_at_ms)
            select value ->> 0, value ->> 0, '', 'user', 'default', 'enabled', 0
            from json_each(?)`,
      parameters: [JSON.stringify(accounts.map(({ id }) => [id]))],
    },
    {
      sql: `insert into ledger_account (account_id, unlimited)
            select value ->> 0, value ->> 1 from json_each(?)`,
      parameters: [JSON.stringify(accounts.map(({ id, unlimited }) => [id, Number(unlimited)]))],
    },
    {
      sql: `insert into api_key (id, hash, shown, account_id, name, group_name, status, declared,
              created_at_ms)
            select value ->> 0, value ->> 0, '', value ->> 1, '', 'default', 'enabled', 0, 0
            from json_each(?)`,
      parameters: [JSON.stringify(keys.map(({ id, account }) => [id, account]))],
    },
    {
      sql: `insert into ledger_key (key_id, account_id, limit_micros)
            select value ->> 0, value ->> 1, value ->> 2 from json_each(?)`,
      parameters: [JSON.stringify(keys.map(({ id, account, limit }) => [id, account, limit]))],
    },
  ];
}
