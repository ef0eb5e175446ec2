// The tables of a data folder or of a database, row by row, as they are at one moment.
import { Database } from "bun:sqlite";
import type { Store } from "../../store/store.ts";

export type ExportRow = Readonly<Record<string, unknown>>;

export interface ExportTables {
  /** Version of the tables. */
  version(): Promise<number>;
  rows(table: string): AsyncIterable<ExportRow>;
  /** Sum of all balances. */
  balances(): Promise<ExportRow>;
}

const rowsAtOnce = 1000;
const sums = ["granted", "available", "held", "spent"]
  .map((name) => `cast(coalesce(sum(${name}_micros), 0) as bigint) as ${name}_micros`)
  .join(", ");

export class FileTables implements ExportTables, Disposable {
  readonly #database: Database;

  constructor(path: string) {
    this.#database = new Database(path, { readonly: true });
    this.#database.run("pragma busy_timeout = 2000");
    this.#database.run("begin");
  }

  async version(): Promise<number> {
    const row = this.#database.query<{ user_version: number }, []>("pragma user_version").get();
    return row?.user_version ?? 0;
  }

  async *rows(table: string): AsyncGenerator<ExportRow> {
    yield* this.#database.query<ExportRow, []>(`select * from ${table}`).iterate();
  }

  async balances(): Promise<ExportRow> {
    return this.#database.query<ExportRow, []>(`select ${sums} from ledger_account`).get() ?? {};
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

/** Balances with what nodes were lent of them, as those of a data folder are. */
const balanceViews: Readonly<Record<string, string>> = {
  ledger_account: "select * from account_balance",
  ledger_key: "select key_id, account_id, limit_micros, held_micros, spent_micros from key_balance",
  cap: `select id, budget_id, account_id, subject_id, mode, opened_at_ms, closes_at_ms,
    limit_micros, held_micros, spent_micros from cap_balance`,
};

export class DatabaseTables implements ExportTables {
  readonly #read: Store["read"];

  /** `read` is of one moment, and of one connection. */
  constructor(read: Store["read"]) {
    this.#read = read;
  }

  async version(): Promise<number> {
    const [row] = await this.#ask("select max(version) as version from sluice.schema_version");
    return Number(row?.["version"] ?? 0);
  }

  async *rows(table: string): AsyncGenerator<ExportRow> {
    const query = balanceViews[table] ?? `select * from ${table}`;
    await this.#ask(`declare export_${table} no scroll cursor for ${query}`);
    for (;;) {
      const rows = await this.#ask(`fetch ${rowsAtOnce} from export_${table}`);
      // Columns that nodes and the engine count by are of no use elsewhere.
      for (const { place: _place, node_id: _node, ...row } of rows) yield row;
      if (rows.length < rowsAtOnce) break;
    }
    await this.#ask(`close export_${table}`);
  }

  async balances(): Promise<ExportRow> {
    const [row] = await this.#ask(`select ${sums} from account_balance`);
    return row ?? {};
  }

  #ask(sql: string) {
    return this.#read({ sql, parameters: [] });
  }
}
