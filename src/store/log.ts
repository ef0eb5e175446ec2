// Queries of the usage log's database. They are written once, with bound values and with names of
// columns, and compiled in the words of the store's engine.
import { sql, type RawBuilder } from "kysely";
import { toStatement } from "./database.ts";
import { logCompilers, type DialectName } from "./dialect.ts";
import type { Statement, Store } from "./store.ts";

export type LogQuery<Row> = RawBuilder<Row>;
export type LogReader = Pick<Store, "readLog" | "dialect">;

/** Counts the rows of the usage log in the order in which they were written. */
export const place = sql.ref<number>("place");

/** The rows of the query, which are what the query says of itself. */
export async function readLog<Row>(store: LogReader, query: LogQuery<Row>): Promise<Row[]> {
  return (await store.readLog(bindLog(query, store.dialect))) as Row[];
}

/** Runs the queries in one commit. */
export async function changeLog(
  store: Pick<Store, "writeLog" | "dialect">,
  queries: readonly LogQuery<unknown>[],
): Promise<void> {
  await store.writeLog({ statements: queries.map((query) => bindLog(query, store.dialect)) });
}

export function bindLog(query: LogQuery<unknown>, dialect: DialectName): Statement {
  return toStatement(query.compile(logCompilers[dialect]));
}
