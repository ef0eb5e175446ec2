// The tables of a data folder, row by row, as they are at one moment.
import { Database } from "bun:sqlite";

export type ExportRow = Readonly<Record<string, unknown>>;

export class Snapshot implements Disposable {
  readonly #database: Database;

  constructor(path: string) {
    this.#database = new Database(path, { readonly: true });
    this.#database.run("pragma busy_timeout = 2000");
    this.#database.run("begin");
  }

  version(): number {
    const row = this.#database.query<{ user_version: number }, []>("pragma user_version").get();
    return row?.user_version ?? 0;
  }

  rows(table: string): IterableIterator<ExportRow> {
    return this.#database.query<ExportRow, []>(`select * from ${table}`).iterate();
  }

  balances(): ExportRow {
    const sums = ["granted", "available", "held", "spent"]
      .map((name) => `coalesce(sum(${name}_micros), 0) as ${name}_micros`)
      .join(", ");
    return this.#database.query<ExportRow, []>(`select ${sums} from ledger_account`).get() ?? {};
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}
