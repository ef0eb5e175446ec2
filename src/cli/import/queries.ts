// Another program's database, which is only ever read: SQLite by its file, PostgreSQL and MySQL by
// their addresses. Columns are asked for by name, and one that is not there reads as null.
import { existsSync } from "node:fs";
import { SQL } from "bun";
import { Database } from "bun:sqlite";

export type SourceRow = Readonly<Record<string, unknown>>;

export interface SourceTables extends AsyncDisposable {
  /** Empty where the table is not there. */
  rows(table: string, columns: readonly string[]): Promise<SourceRow[]>;
  /** Sum of a column of whole numbers. */
  sum(table: string, column: string): Promise<bigint>;
  count(table: string): Promise<bigint>;
}

/** One engine's way of being asked. */
interface Engine {
  quote: string;
  all(text: string): Promise<SourceRow[]>;
  columnsOf(table: string): string;
  close(): Promise<void>;
}

export function openTables(from: string): SourceTables {
  return new AskedTables(openEngine(from));
}

class AskedTables implements SourceTables {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async rows(table: string, columns: readonly string[]): Promise<SourceRow[]> {
    const there = await this.#columns(table);
    const wanted = columns.filter((column) => there.has(column));
    if (wanted.length === 0) return [];
    const names = wanted.map((column) => this.#quoted(column)).join(", ");
    const [first = ""] = wanted;
    return await this.#engine.all(
      `select ${names} from ${this.#quoted(table)} order by ${this.#quoted(first)}`,
    );
  }

  async sum(table: string, column: string): Promise<bigint> {
    if (!(await this.#columns(table)).has(column)) return 0n;
    const [row] = await this.#engine.all(
      `select sum(${this.#quoted(column)}) as total from ${this.#quoted(table)}`,
    );
    return wholeOf(row?.["total"]) ?? 0n;
  }

  async count(table: string): Promise<bigint> {
    if ((await this.#columns(table)).size === 0) return 0n;
    const [row] = await this.#engine.all(`select count(*) as total from ${this.#quoted(table)}`);
    return wholeOf(row?.["total"]) ?? 0n;
  }

  async #columns(table: string): Promise<Set<string>> {
    const rows = await this.#engine.all(this.#engine.columnsOf(table));
    return new Set(rows.map((row) => String(row["name"])));
  }

  #quoted(name: string): string {
    return `${this.#engine.quote}${name}${this.#engine.quote}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#engine.close();
  }
}

function openEngine(from: string): Engine {
  if (/^postgres(?:ql)?:\/\//.test(from)) return openServer(from, '"', "current_schema()");
  const address = mysqlAddress(from);
  if (address !== null) return openServer(address, "`", "database()");
  const path = from.replace(/^sqlite:(?:\/\/)?/, "");
  if (!existsSync(path)) throw new Error(`there is no database at ${path}`);
  return openFile(path);
}

/** Also as Go's driver writes it: user:password@tcp(host:port)/database. */
function mysqlAddress(from: string): string | null {
  if (from.startsWith("mysql://")) return from;
  const [, user, password, host, database] =
    /^([^:@/]+):(.*)@tcp\(([^)]+)\)\/([^?]+)/.exec(from) ?? [];
  if (user === undefined || password === undefined) return null;
  const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return `mysql://${login}@${host}/${database}`;
}

function openFile(path: string): Engine {
  const database = new Database(path, { readonly: true, safeIntegers: true });
  database.run("pragma busy_timeout = 5000");
  return {
    quote: '"',
    all: async (text) => database.query<Record<string, unknown>, []>(text).all(),
    columnsOf: (table) => `select name from pragma_table_info('${table}')`,
    close: async () => database.close(),
  };
}

function openServer(address: string, quote: string, schema: string): Engine {
  const sql = new SQL(address, { max: 1, bigint: true });
  let connecting: Promise<void> | null = null;
  return {
    quote,
    async all(text) {
      await (connecting ??= connect(sql));
      return [...(await sql.unsafe<SourceRow[]>(text))];
    },
    columnsOf: (table) =>
      `select column_name as name from information_schema.columns
       where table_schema = ${schema} and table_name = '${table}'`,
    close: () => sql.close(),
  };
}

/** Words of the driver alone, "Failed to connect", leave open what was meant. */
async function connect(sql: SQL): Promise<void> {
  try {
    await sql.connect();
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw new Error(`the database cannot be opened: ${words}`, { cause: error });
  }
}

/** A whole number however an engine hands it over; null for anything else. */
export function wholeOf(value: unknown): bigint | null {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : null;
  if (typeof value !== "string" || !/^-?\d+(?:\.0+)?$/.test(value)) return null;
  return BigInt(value.replace(/\.0+$/, ""));
}
