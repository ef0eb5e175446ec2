// Brings the database up to what this program knows. Whichever node comes first does it, the others
// wait for its lock. Each version is applied in one transaction together with its number, so an
// interrupted start resumes where it was.
import { tooNew } from "../migrate.ts";
import type { logSchema, mainSchema, Session } from "./connection.ts";

/** A set of tables that has versions of its own. */
interface SchemaPart {
  schema: typeof mainSchema | typeof logSchema;
  versions: readonly (readonly string[])[];
  /** The oldest version whose program can work with the newest: all since have only added. */
  oldestReader: number;
}

/** For a start; the number is arbitrary and ours alone. */
const startLock = "5489200117";

/** Does the work while no other node does. */
export async function inStart<Result>(
  session: Session,
  work: () => Promise<Result>,
): Promise<Result> {
  await session.ask("select pg_advisory_lock($1::bigint)", [startLock]);
  try {
    return await work();
  } finally {
    // A connection that is lost has let go of it already.
    await session.ask("select pg_advisory_unlock($1::bigint)", [startLock]).catch(() => {});
  }
}

/** Nobody has ever started on it. */
export async function isBare(session: Session, schema: SchemaPart["schema"]): Promise<boolean> {
  const name = `${schema}.schema_version`;
  const { rows } = await session.ask("select 1 where to_regclass($1) is null", [name]);
  return rows.length > 0;
}

export async function migratePart(session: Session, part: SchemaPart): Promise<void> {
  const { schema, versions } = part;
  await session.ask(`create schema if not exists ${schema}`);
  await session.ask(
    `create table if not exists ${schema}.schema_version (
       version bigint primary key, oldest_reader bigint not null,
       applied_at timestamptz not null default now())`,
  );
  const { rows } = await session.ask(
    `select coalesce(max(version), 0) as version, coalesce(max(oldest_reader), 0) as oldest
     from ${schema}.schema_version`,
  );
  const { version: from, oldest } = rows[0] ?? {};
  if (Number(oldest) > versions.length) {
    throw tooNew(Number(from), versions.length, "the database");
  }
  for (let version = Number(from) + 1; version <= versions.length; version++) {
    await applyVersion(session, part, version);
  }
}

async function applyVersion(
  session: Session,
  { schema, versions, oldestReader }: SchemaPart,
  version: number,
): Promise<void> {
  await session.ask("begin");
  try {
    await session.ask(`set local search_path = ${schema}`);
    for (const statement of versions[version - 1] ?? []) await session.ask(statement);
    await session.ask(compareByBytes);
    await session.ask(`insert into schema_version (version, oldest_reader) values ($1, $2)`, [
      version,
      Math.min(version, oldestReader),
    ]);
    await session.ask("commit");
  } catch (error) {
    await session.ask("rollback").catch(() => {});
    throw error;
  }
}

/**
 * Text is compared byte by byte, as in every engine, whatever the database was created with: names
 * are searched by ranges, and the same rows come in the same order everywhere.
 */
const compareByBytes = `do $$
  declare _column record;
  begin
    for _column in
      select c.relname, a.attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attnum > 0
        and not a.attisdropped and a.atttypid = 'text'::regtype
        and a.attcollation <> '"C"'::regcollation
    loop
      execute format('alter table %I alter column %I type text collate "C"',
        _column.relname, _column.attname);
    end loop;
  end $$`;
