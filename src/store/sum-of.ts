// A sum as a whole number on every engine: PostgreSQL's own is wider, and comes as text.
import { sql, type RawBuilder } from "kysely";

/** Null of no rows. */
export function sumOf(column: string): RawBuilder<number | null> {
  return sql<number | null>`cast(sum(${sql.ref(column)}) as bigint)`;
}
