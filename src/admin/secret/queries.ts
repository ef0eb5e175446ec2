// Values in the database that the gateway's secret seals, read and written by table and column.
import { sql } from "kysely";
import type { Database } from "../../store/database.ts";

export interface SealedPlace {
  table: string;
  column: string;
  /** Column that the value is bound to. */
  key: string;
  /** Rows at once: some have whole answers in them. */
  atOnce: number;
}

interface SealedCell {
  id: string;
  text: string;
}

/** In the order of their keys, behind `after`. */
export async function readSealed(
  database: Database,
  { table, column, key, atOnce }: SealedPlace,
  after: string,
): Promise<SealedCell[]> {
  const [id, text] = [sql.ref(key), sql.ref(column)];
  const { rows } = await sql<SealedCell>`
    select ${id} as id, ${text} as text from ${sql.table(table)}
    where ${text} is not null and ${id} > ${after} order by ${id} limit ${atOnce}`.execute(
    database,
  );
  return rows;
}

/** Changes nothing where the value is another one by now. */
export function updateOfSealed(
  database: Database,
  { table, column, key }: SealedPlace,
  { before, after }: { before: SealedCell; after: string },
) {
  const text = sql.ref(column);
  const query = sql`
    update ${sql.table(table)} set ${text} = ${after}
    where ${sql.ref(key)} = ${before.id} and ${text} = ${before.text}`;
  return { compile: () => query.compile(database) };
}
