// Accounts, keys, tokens and groups in the database.
import type { AccountId, KeyId } from "../core/ids.ts";
import { commitTogether, type Database } from "../store/database.ts";
import type { AccessTokenTable, AccountTable, ApiKeyTable, GroupTable } from "../store/schema.ts";
import type { Store } from "../store/store.ts";

export type AccountRow = AccountTable;
export type ApiKeyRow = ApiKeyTable;
export type GroupRow = GroupTable;

export interface Page {
  offset: number;
  limit: number;
}

export async function findKeyByHash(
  database: Database,
  hash: string,
): Promise<{ key: ApiKeyRow; account: AccountRow } | null> {
  const key = await database
    .selectFrom("api_key")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  if (!key) return null;
  const account = await findAccount(database, key.account_id);
  return account ? { key, account } : null;
}

export async function findAccount(database: Database, id: AccountId): Promise<AccountRow | null> {
  const row = await database
    .selectFrom("account")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function findAccountByName(
  database: Database,
  username: string,
): Promise<AccountRow | null> {
  const row = await database
    .selectFrom("account")
    .selectAll()
    .where("username", "=", username)
    .executeTakeFirst();
  return row ?? null;
}

/** The account with its balance row, whole or not at all. */
export async function insertAccount(
  store: Store,
  database: Database,
  row: AccountRow,
  unlimited: boolean,
): Promise<void> {
  await commitTogether(store, [
    database.insertInto("account").values(row),
    database.insertInto("ledger_account").values({
      account_id: row.id,
      unlimited: unlimited ? 1 : 0,
      granted_micros: 0,
      available_micros: 0,
      held_micros: 0,
      spent_micros: 0,
    }),
  ]);
}

export async function updateAccount(
  database: Database,
  id: AccountId,
  changes: Partial<Omit<AccountRow, "id">>,
): Promise<void> {
  await database.updateTable("account").set(changes).where("id", "=", id).execute();
}

export async function listAccounts(database: Database, page: Page) {
  const items = await database
    .selectFrom("account")
    .innerJoin("ledger_account", "ledger_account.account_id", "account.id")
    .selectAll("account")
    .select(["unlimited", "granted_micros", "available_micros", "held_micros", "spent_micros"])
    .orderBy("created_at_ms", "desc")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return { items, total: await count(database, "account") };
}

export async function findToken(
  database: Database,
  hash: string,
): Promise<AccessTokenTable | null> {
  const row = await database
    .selectFrom("access_token")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertToken(database: Database, row: AccessTokenTable): Promise<void> {
  await database
    .insertInto("access_token")
    .values(row)
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
}

/** The key with its balance row, whole or not at all. */
export async function insertKey(
  store: Store,
  database: Database,
  row: ApiKeyRow,
  limitMicros: number | null,
): Promise<void> {
  await commitTogether(store, [
    database.insertInto("api_key").values(row),
    database.insertInto("ledger_key").values({
      key_id: row.id,
      account_id: row.account_id,
      limit_micros: limitMicros,
      held_micros: 0,
      spent_micros: 0,
    }),
  ]);
}

export async function updateKey(
  store: Store,
  database: Database,
  id: KeyId,
  changes: { row: Partial<Omit<ApiKeyRow, "id">>; limitMicros?: number | null },
): Promise<void> {
  const queries = [];
  if (Object.keys(changes.row).length > 0) {
    queries.push(database.updateTable("api_key").set(changes.row).where("id", "=", id));
  }
  if (changes.limitMicros !== undefined) {
    queries.push(
      database
        .updateTable("ledger_key")
        .set({ limit_micros: changes.limitMicros })
        .where("key_id", "=", id),
    );
  }
  if (queries.length > 0) await commitTogether(store, queries);
}

export async function findKey(database: Database, id: KeyId): Promise<ApiKeyRow | null> {
  const row = await database
    .selectFrom("api_key")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** The keys of one account, or of all. */
export async function listKeys(database: Database, accountId: AccountId | null, page: Page) {
  let rows = database
    .selectFrom("api_key")
    .innerJoin("ledger_key", "ledger_key.key_id", "api_key.id")
    .selectAll("api_key")
    .select(["limit_micros", "held_micros", "spent_micros"]);
  let counted = database
    .selectFrom("api_key")
    .select((query) => query.fn.countAll<number>().as("total"));
  if (accountId !== null) {
    rows = rows.where("api_key.account_id", "=", accountId);
    counted = counted.where("account_id", "=", accountId);
  }
  const items = await rows
    .orderBy("api_key.created_at_ms", "desc")
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  const [row] = await counted.execute();
  return { items, total: row?.total ?? 0 };
}

export async function readGroups(database: Database): Promise<GroupRow[]> {
  return await database.selectFrom("account_group").selectAll().orderBy("name").execute();
}

export async function writeGroup(database: Database, row: GroupRow): Promise<void> {
  const { name: _name, ...changes } = row;
  await database
    .insertInto("account_group")
    .values(row)
    .onConflict((conflict) => conflict.column("name").doUpdateSet(changes))
    .execute();
}

export async function deleteGroup(database: Database, name: string): Promise<void> {
  await database.deleteFrom("account_group").where("name", "=", name).execute();
}

async function count(database: Database, table: "account" | "api_key"): Promise<number> {
  const row = await database
    .selectFrom(table)
    .select((query) => query.fn.countAll<number>().as("total"))
    .executeTakeFirst();
  return row?.total ?? 0;
}
