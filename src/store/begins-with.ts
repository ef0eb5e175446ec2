// The search for a name: by its beginning, in any capitals. A range of an index of `lower(name)`
// answers it; what stands in the middle of a name would have every row looked at.
import { sql, type RawBuilder, type SqlBool } from "kysely";

/** Behind every text that begins so. */
const last = "\u{10ffff}";

export function beginsWith(column: string, prefix: string): RawBuilder<SqlBool> {
  // The database lowers both, since not every one lowers letters beyond ASCII.
  const from = sql`lower(${prefix})`;
  const name = sql`lower(${sql.ref(column)})`;
  return sql<SqlBool>`(${name} >= ${from} and ${name} < ${from} || ${last})`;
}
