// Rows imported from other programs: which row of theirs became which of ours.
import type { KeyId, RedemptionId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import { sumOf } from "../../store/sum-of.ts";
import type { RedemptionTable } from "../../store/schema.ts";

interface ImportedTable {
  source: string;
  kind: string;
  ref: string;
  /** Id of the row that it became here. */
  id: string;
  at_ms: number;
}

const withImports = (database: Database) => database.withTables<{ imported: ImportedTable }>();

export function insertOfImported(database: Database, row: ImportedTable) {
  return withImports(database).insertInto("imported").values(row);
}

/** Our ids by theirs. */
export async function readImported(
  database: Database,
  source: string,
  kind: string,
): Promise<Map<string, string>> {
  const rows = await withImports(database)
    .selectFrom("imported")
    .select(["ref", "id"])
    .where("source", "=", source)
    .where("kind", "=", kind)
    .execute();
  return new Map(rows.map(({ ref, id }) => [ref, id]));
}

export async function readRefs(
  database: Database,
  source: string,
): Promise<Record<string, string[]>> {
  const rows = await withImports(database)
    .selectFrom("imported")
    .select(["kind", "ref"])
    .where("source", "=", source)
    .orderBy("kind")
    .orderBy("ref")
    .execute();
  const kinds = Map.groupBy(rows, ({ kind }) => kind);
  return Object.fromEntries(
    [...kinds].map(([kind, refRows]) => [kind, refRows.map(({ ref }) => ref)] as const),
  );
}

/** Usernames here of imported accounts, by their ids over there. */
export async function readCome(
  database: Database,
  source: string,
): Promise<Record<string, string>> {
  const rows = await withImports(database)
    .selectFrom("imported")
    .innerJoin("account", (join) => join.onRef("account.id", "=", "imported.id"))
    .select(["imported.ref", "account.username"])
    .where("imported.source", "=", source)
    .where("imported.kind", "=", "accounts")
    .execute();
  return Object.fromEntries(rows.map(({ ref, username }) => [ref, username] as const));
}

/** The grants whose ids begin so, which no other ids do. */
export async function sumGrants(
  database: Database,
  prefix: string,
): Promise<{ grants: number; micros: number }> {
  const row = await database
    .selectFrom("entry")
    .select((query) => [query.fn.countAll<number>().as("grants"), sumOf("micros").as("micros")])
    .where("kind", "=", "grant")
    .where("id", ">=", prefix)
    .where("id", "<", `${prefix}\u007f`)
    .executeTakeFirst();
  return { grants: row?.grants ?? 0, micros: row?.micros ?? 0 };
}

/** Sum of the entries with these ids. */
export async function sumEntries(database: Database, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const row = await database
    .selectFrom("entry")
    .select(sumOf("micros").as("micros"))
    .where("id", "in", ids)
    .executeTakeFirst();
  return row?.micros ?? 0;
}

export async function sumLimits(database: Database, ids: readonly KeyId[]): Promise<number> {
  if (ids.length === 0) return 0;
  const row = await database
    .selectFrom("ledger_key")
    .select(sumOf("limit_micros").as("micros"))
    .where("key_id", "in", ids)
    .executeTakeFirst();
  return row?.micros ?? 0;
}

export async function sumCodes(database: Database, ids: readonly RedemptionId[]): Promise<number> {
  if (ids.length === 0) return 0;
  const row = await database
    .selectFrom("redemption")
    .select(sumOf("micros").as("micros"))
    .where("id", "in", ids)
    .executeTakeFirst();
  return row?.micros ?? 0;
}

export function insertOfCode(database: Database, row: RedemptionTable) {
  return database.insertInto("redemption").values(row);
}
