// The query builder over the store. Reads go to the reader, every write is a commit of its own that
// waits until it is synced; writes that belong together are compiled and committed as one list.
import {
  DummyDriver,
  Kysely,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from "kysely";
import { dialects, type DialectName } from "./dialect.ts";
import type { Tables } from "./schema.ts";
import type { Row, Statement, Store, Value } from "./store.ts";

export type Database = Kysely<Tables>;

interface Compilable {
  compile(): CompiledQuery;
}

/** The builder's view of a store. */
type StoreAccess = Pick<Store, "dialect" | "read" | "commit">;

export function createDatabase(store: StoreAccess): Database {
  return new Kysely<Tables>({
    dialect: { ...dialects[store.dialect], createDriver: () => new StoreDriver(store) },
  });
}

/** For whoever only reads, be it from one moment of the database. */
export function createReader(dialect: DialectName, read: Store["read"]): Database {
  const commit = () => Promise.reject(new Error("nothing is written here"));
  return createDatabase({ dialect, read, commit });
}

/** The rows of a query, which is sent in this very turn of the event loop. */
export async function readRows<R>(
  store: Pick<Store, "read">,
  query: { compile(): CompiledQuery<R> },
): Promise<R[]> {
  return (await store.read(toStatement(query.compile()))) as R[];
}

/** A query of a commit, which may demand how many rows it changes. */
export type CommitStep = Compilable | { query: Compilable; changes: number };

/** Commits the queries together, synced. */
export async function commitTogether(
  store: Store,
  queries: readonly CommitStep[],
): Promise<Row[][]> {
  return await store.commit({ statements: queries.map(statementOf) });
}

export function statementOf(step: CommitStep): Statement {
  return "query" in step
    ? { ...toStatement(step.query.compile()), changes: step.changes }
    : toStatement(step.compile());
}

export function toStatement({ sql, parameters }: CompiledQuery): Statement {
  return { sql, parameters: parameters.map(toValue) };
}

function toValue(value: unknown): Value {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`a ${typeof value} cannot be stored`);
}

class StoreDriver extends DummyDriver {
  readonly #store: StoreAccess;

  constructor(store: StoreAccess) {
    super();
    this.#store = store;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new StoreConnection(this.#store);
  }

  override async beginTransaction(): Promise<void> {
    throw new Error("there are no interactive transactions; use commitTogether");
  }
}

class StoreConnection implements DatabaseConnection {
  readonly #store: StoreAccess;

  constructor(store: StoreAccess) {
    this.#store = store;
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    const statement = toStatement(compiled);
    if (compiled.query.kind === "SelectQueryNode") {
      return { rows: (await this.#store.read(statement)) as R[] };
    }
    const [rows = []] = await this.#store.commit({ statements: [statement] });
    return { rows: rows as R[] };
  }

  // Kysely asks for this method; nothing here streams rows.
  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("rows are not streamed");
  }
}
