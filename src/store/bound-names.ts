// The SQL by which the names of a sum stay few, in words that every engine knows: a name that has a
// sum keeps it, new ones get one while there is room, and all others are summed together.
import type { NamesBound } from "./step.ts";

/** Rows of the source that have a name, with the name that they are summed under. */
export function boundNames(
  { table, columns }: { table: string; columns: readonly string[] },
  { column, within, most, rest }: NamesBound,
  source: string,
): string {
  const isSame = within.map((name) => `kept.${name} = named.${name}`).join(" and ");
  const known = `select named.*, exists (select 1 from ${table} as kept
      where ${isSame} and kept.${column} = named.${column}) as is_known
    from (${source}) as named where ${column} is not null`;
  // New ones are numbered, because none of them is in the table yet.
  const numbered = `select known.*, dense_rank() over (
      partition by ${[...within, "is_known"].join(", ")} order by ${column}) as number
    from (${known}) as known`;
  const kept = `(select count(*) from ${table} as kept
    where ${isSame} and kept.${column} <> '${rest}')`;
  const name = `case when is_known then ${column}
    when number + ${kept} <= ${most} then ${column} else '${rest}' end as ${column}`;
  const own = columns.map((one) => (one === column ? name : one));
  return `select ${own.join(", ")} from (${numbered}) as named`;
}
