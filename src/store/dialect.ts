// The engines a store may stand on, and how a query is put into the words of each. Queries are
// written once: what differs is said here, and in the words of migrations (migrate.ts).
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type IdentifierNode,
} from "kysely";

export type DialectName = "sqlite" | "postgres";

type Compiling = Omit<Dialect, "createDriver">;

const sqlite: Compiling = {
  createAdapter: () => new SqliteAdapter(),
  createIntrospector: (database) => new SqliteIntrospector(database),
  createQueryCompiler: () => new SqliteQueryCompiler(),
};

const postgres: Compiling = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (database) => new PostgresIntrospector(database),
  createQueryCompiler: () => new PostgresQueryCompiler(),
};

export const dialects: Readonly<Record<DialectName, Compiling>> = { sqlite, postgres };

/** Whether others may be at the same rows: then whoever takes some passes over what is locked. */
export function locksRows(database: { getExecutor(): { adapter: unknown } }): boolean {
  return database.getExecutor().adapter instanceof PostgresAdapter;
}

/** SQLite counts the rows of every table by itself. */
class NumberingCompiler extends SqliteQueryCompiler {
  protected override visitIdentifier(node: IdentifierNode): void {
    if (node.name === "place") this.append("rowid");
    else super.visitIdentifier(node);
  }
}

/** Compilers of the usage log's queries, whose rows have a `place`. */
export const logCompilers: Readonly<Record<DialectName, Kysely<never>>> = {
  sqlite: compilerOf({ ...sqlite, createQueryCompiler: () => new NumberingCompiler() }),
  postgres: compilerOf(postgres),
};

function compilerOf(compiling: Compiling): Kysely<never> {
  return new Kysely<never>({ dialect: { ...compiling, createDriver: () => new DummyDriver() } });
}
