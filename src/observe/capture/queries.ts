// Orders for captures and the captured contents, in the database. Contents are sealed.
import type { AccountId, ChannelId, KeyId } from "../../core/ids.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import { StoreError, type Store } from "../../store/store.ts";

export interface CaptureRow {
  id: string;
  /** Account of the requests; null for everyone's. */
  account_id: AccountId | null;
  key_id: KeyId | null;
  model: string | null;
  channel_id: ChannelId | null;
  requests_max: number;
  taken: number;
  until_ms: number;
  /** The account that wants it. */
  actor_id: AccountId;
  created_at_ms: number;
}

export interface CapturedRow {
  request_id: string;
  capture_id: string;
  account_id: AccountId;
  at_ms: number;
  sealed: string;
}

const withCaptures = (database: Database) =>
  database.withTables<{ capture: CaptureRow; captured: CapturedRow }>();

/** The newest first. */
export async function readCaptures(database: Database): Promise<CaptureRow[]> {
  const rows = withCaptures(database).selectFrom("capture").selectAll();
  return await rows.orderBy("created_at_ms", "desc").orderBy("id").execute();
}

export async function insertCapture(database: Database, row: CaptureRow): Promise<void> {
  await withCaptures(database).insertInto("capture").values(row).execute();
}

/** With all that was captured by it; a conflict when there is none. */
export async function deleteCapture(store: Store, database: Database, id: string): Promise<void> {
  const tables = withCaptures(database);
  await commitTogether(store, [
    tables.deleteFrom("captured").where("capture_id", "=", id),
    { query: tables.deleteFrom("capture").where("id", "=", id), changes: 1 },
  ]);
}

/** False where as many were taken as were wanted, or nobody wants any more. */
export async function insertCaptured(
  store: Store,
  database: Database,
  row: CapturedRow,
): Promise<boolean> {
  const tables = withCaptures(database);
  const count = tables
    .updateTable("capture")
    .set((capture) => ({ taken: capture("taken", "+", 1) }))
    .where("id", "=", row.capture_id)
    .whereRef("taken", "<", "requests_max");
  try {
    const insert = tables.insertInto("captured").values(row);
    await commitTogether(store, [{ query: count, changes: 1 }, insert]);
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.kind === "conflict") return false;
    throw error;
  }
}

export async function findCaptured(
  database: Database,
  requestId: string,
): Promise<CapturedRow | null> {
  const rows = withCaptures(database).selectFrom("captured").selectAll();
  return (await rows.where("request_id", "=", requestId).executeTakeFirst()) ?? null;
}

/** Requests of an account in each capture. */
export async function countCaptured(
  database: Database,
  accountId: AccountId,
): Promise<Map<string, number>> {
  const rows = await withCaptures(database)
    .selectFrom("captured")
    .select(["capture_id", (query) => query.fn.countAll<number>().as("total")])
    .where("account_id", "=", accountId)
    .groupBy("capture_id")
    .execute();
  return new Map(rows.map(({ capture_id, total }) => [capture_id, Number(total)]));
}

/** Without opening it. */
export async function isCaptured(database: Database, requestId: string): Promise<boolean> {
  const rows = withCaptures(database).selectFrom("captured").select("request_id");
  return (await rows.where("request_id", "=", requestId).executeTakeFirst()) !== undefined;
}

export async function forgetCaptured(
  store: Store,
  database: Database,
  beforeMs: number,
): Promise<void> {
  const tables = withCaptures(database);
  await commitTogether(store, [
    tables.deleteFrom("captured").where("at_ms", "<", beforeMs),
    tables.deleteFrom("capture").where("until_ms", "<", beforeMs),
  ]);
}

/** All that was captured of somebody's requests, or for them. */
export function deletesOfCaptured(database: Database, accountId: AccountId) {
  const tables = withCaptures(database);
  return [
    tables.deleteFrom("captured").where("account_id", "=", accountId),
    tables.deleteFrom("capture").where("account_id", "=", accountId),
    tables.deleteFrom("capture").where("actor_id", "=", accountId),
  ];
}
