// Queries of the usage log's database. They are written once, with bound values and with names of
// columns; the store compiles them in the words of its engine.
import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type IdentifierNode,
  type RawBuilder,
} from "kysely";
import { toStatement } from "./database.ts";
import type { Statement, Store } from "./store.ts";

export type LogQuery<Row> = RawBuilder<Row>;

/** Counts the rows of the usage log in the order in which they were written. */
export const place = sql.ref<number>("place");

/** The rows of the query, which are what the query says of itself. */
export async function readLog<Row>(
  store: Pick<Store, "readLog">,
  query: LogQuery<Row>,
): Promise<Row[]> {
  return (await store.readLog(bindLog(query))) as Row[];
}

/** Runs the queries in one commit. */
export async function changeLog(
  store: Pick<Store, "writeLog">,
  queries: readonly LogQuery<unknown>[],
): Promise<void> {
  await store.writeLog({ statements: queries.map(bindLog) });
}

export function bindLog(query: LogQuery<unknown>): Statement {
  return toStatement(query.compile(engine));
}

/** SQLite counts the rows of every table by itself. */
class LogCompiler extends SqliteQueryCompiler {
  protected override visitIdentifier(node: IdentifierNode): void {
    if (node.name === "place") this.append("rowid");
    else super.visitIdentifier(node);
  }
}

const engine = new Kysely<never>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new LogCompiler(),
  },
});
