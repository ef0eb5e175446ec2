// Accounts and keys in the database.
import type { AccountId, KeyId } from "../core/ids.ts";
import { commitTogether, type Database } from "../store/database.ts";
import type {
  AccountTable,
  ApiKeyTable,
  LedgerAccountTable,
  LedgerKeyTable,
} from "../store/schema.ts";
import type { Store } from "../store/store.ts";
import type { RoleColumns } from "./roles/rights.ts";

export type AccountRow = AccountTable;
export type ApiKeyRow = ApiKeyTable;

/** One that was deleted for good is not there. */
export async function findAccount(database: Database, id: AccountId): Promise<AccountRow | null> {
  const row = await findEvenDeleted(database, id);
  return row?.deleted_at_ms === null ? row : null;
}

export async function findEvenDeleted(
  database: Database,
  id: AccountId,
): Promise<AccountRow | null> {
  const row = await database
    .selectFrom("account")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Names are compared without case. Versions before let two differ by it alone: then the one that is
 * spelt so is meant, and the older of the two by any other spelling.
 */
export async function findAccountByName(
  database: Database,
  username: string,
): Promise<AccountRow | null> {
  const rows = await selectNamed(database, username)
    .where("deleted_at_ms", "is", null)
    .orderBy("created_at_ms")
    .execute();
  return rows.find((row) => row.username === username) ?? rows[0] ?? null;
}

/** True for a name that an account has, be it in other capitals. */
export async function isNameTaken(database: Database, username: string): Promise<boolean> {
  return (await selectNamed(database, username).executeTakeFirst()) !== undefined;
}

export function isSameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function selectNamed(database: Database, username: string) {
  return database
    .selectFrom("account")
    .selectAll()
    .where(({ fn }) => fn<string>("lower", ["username"]), "=", username.toLowerCase());
}

/** The account with its balance row, whole or not at all. */
export async function insertAccount(
  store: Store,
  database: Database,
  row: AccountRow,
  unlimited: boolean,
): Promise<void> {
  await commitTogether(store, insertsOfAccount(database, row, unlimited));
}

export function insertsOfAccount(database: Database, row: AccountRow, unlimited: boolean) {
  return [
    database.insertInto("account").values(row),
    database.insertInto("ledger_account").values({
      account_id: row.id,
      unlimited: unlimited ? 1 : 0,
      granted_micros: 0,
      available_micros: 0,
      held_micros: 0,
      spent_micros: 0,
    }),
  ];
}

type AccountChanges = Partial<Omit<AccountRow, "id">>;

export async function updateAccount(
  store: Store,
  database: Database,
  id: AccountId,
  changes: AccountChanges,
): Promise<void> {
  await commitTogether(store, updatesOfAccount(database, id, changes));
}

/** Keys that have no group of their own go where their account goes. */
export function updatesOfAccount(database: Database, id: AccountId, changes: AccountChanges) {
  const update = database.updateTable("account").set(changes).where("id", "=", id);
  if (changes.group_name === undefined) return [update];
  const follow = database
    .updateTable("api_key")
    .set({ group_name: changes.group_name })
    .where("account_id", "=", id)
    .where("follows_group", "=", 1);
  return [update, follow];
}

const balanceColumns = [
  "unlimited",
  "granted_micros",
  "available_micros",
  "held_micros",
  "spent_micros",
] as const;

export type ListedAccount = AccountRow & Pick<LedgerAccountTable, (typeof balanceColumns)[number]>;

/** Without those that were deleted for good. */
export function selectAccounts(database: Database) {
  return database
    .selectFrom("account")
    .innerJoin("ledger_account", "ledger_account.account_id", "account.id")
    .selectAll("account")
    .select(balanceColumns)
    .where("account.deleted_at_ms", "is", null);
}

/** The account with its balance as it is written. */
export async function findListedAccount(
  database: Database,
  id: AccountId,
): Promise<ListedAccount | null> {
  const row = await selectAccounts(database).where("account.id", "=", id).executeTakeFirst();
  return row ?? null;
}

export async function countRoots(database: Database): Promise<number> {
  const row = await database
    .selectFrom("account")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("role", "=", "root")
    .where("status", "=", "enabled")
    .executeTakeFirst();
  return row?.total ?? 0;
}

export async function readUsernames(
  database: Database,
  ids: readonly AccountId[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom("account")
    .select(["id", "username"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}

export async function readRoles(
  database: Database,
  ids: readonly AccountId[],
): Promise<Map<AccountId, RoleColumns>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom("account")
    .select(["id", "role", "staff_role"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, ...columns }) => [id, columns]));
}

/** Every group that a key of the account may be in. */
export async function readGroupsOf(database: Database, id: AccountId): Promise<string[]> {
  const account = await findAccount(database, id);
  const keys = await database
    .selectFrom("api_key")
    .select("group_name")
    .distinct()
    .where("account_id", "=", id)
    .where("deleted_at_ms", "is", null)
    .execute();
  const names = keys.map(({ group_name }) => group_name);
  return [...new Set(account ? [account.group_name, ...names] : names)];
}

/** The key with its balance row, whole or not at all. */
export async function insertKey(
  store: Store,
  database: Database,
  row: ApiKeyRow,
  limitMicros: number | null,
): Promise<void> {
  await commitTogether(store, insertsOfKey(database, row, limitMicros));
}

export function insertsOfKey(database: Database, row: ApiKeyRow, limitMicros: number | null) {
  return [
    database.insertInto("api_key").values(row),
    database.insertInto("ledger_key").values({
      key_id: row.id,
      account_id: row.account_id,
      limit_micros: limitMicros,
      held_micros: 0,
      spent_micros: 0,
    }),
  ];
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

/** Without those that were revoked, and those of pages. */
export async function countKeys(database: Database, accountId: AccountId): Promise<number> {
  const row = await database
    .selectFrom("api_key")
    .select((query) => query.fn.countAll<number>().as("total"))
    .where("account_id", "=", accountId)
    .where("deleted_at_ms", "is", null)
    .where("session_id", "is", null)
    .executeTakeFirst();
  return row?.total ?? 0;
}

export type ListedKey = ApiKeyRow &
  Pick<LedgerKeyTable, "limit_micros" | "held_micros" | "spent_micros"> &
  RoleColumns & {
    username: string;
    /** User name of the member that made it. */
    maker_name: string | null;
    project_name: string | null;
  };

/** Keys with what they spent and whose they are, revoked ones included. */
function selectEveryKey(database: Database) {
  return database
    .selectFrom("api_key")
    .innerJoin("key_balance", "key_balance.key_id", "api_key.id")
    .innerJoin("account", "account.id", "api_key.account_id")
    .leftJoin("account as maker", "maker.id", "api_key.maker_id")
    .leftJoin("project", "project.id", "api_key.project_id")
    .selectAll("api_key")
    .select(["limit_micros", "held_micros", "spent_micros"])
    .select(["account.username", "account.role", "account.staff_role"])
    .select(["maker.username as maker_name", "project.name as project_name"]);
}

/** Without those that were revoked, and those of pages. */
export function selectKeys(database: Database) {
  return selectEveryKey(database)
    .where("api_key.deleted_at_ms", "is", null)
    .where("api_key.session_id", "is", null);
}

/** The key of that text, be it revoked: a text has only ever one row. */
export async function findKeyByText(database: Database, hash: string): Promise<ListedKey | null> {
  const row = await selectEveryKey(database).where("api_key.hash", "=", hash).executeTakeFirst();
  return row ?? null;
}

export async function findListedKey(database: Database, id: KeyId): Promise<ListedKey | null> {
  const row = await selectKeys(database).where("api_key.id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** Names of keys, revoked ones too. */
export async function readKeyNames(
  database: Database,
  ids: readonly KeyId[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom("api_key")
    .select(["id", "name"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Owner of the key, also of one that is gone. */
export async function findKeyOwner(database: Database, id: KeyId): Promise<AccountId | null> {
  const row = await database
    .selectFrom("api_key")
    .select("account_id")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.account_id ?? null;
}

/** All that have or had that name, of one account or of all. */
export async function findKeysNamed(
  database: Database,
  name: string,
  accountId: AccountId | null,
): Promise<Pick<ApiKeyTable, "id" | "deleted_at_ms">[]> {
  const named = database
    .selectFrom("api_key")
    .select(["id", "deleted_at_ms"])
    .where((query) => query.fn<string>("lower", ["name"]), "=", name.toLowerCase())
    .where("name", "=", name);
  return await (accountId === null ? named : named.where("account_id", "=", accountId)).execute();
}

export async function readDeclaredKeys(database: Database): Promise<ListedKey[]> {
  return await selectKeys(database).where("api_key.declared", "=", 1).execute();
}

/** The oldest key of that name; one that was declared before comes first. */
export async function findKeyByName(
  database: Database,
  accountId: AccountId,
  name: string,
): Promise<ListedKey | null> {
  const row = await selectKeys(database)
    .where("api_key.account_id", "=", accountId)
    .where("api_key.name", "=", name)
    .orderBy("api_key.declared", "desc")
    .orderBy("api_key.created_at_ms")
    .executeTakeFirst();
  return row ?? null;
}

/** True when the account ever had a key of that name, revoked ones included. */
export async function hadKey(
  database: Database,
  accountId: AccountId,
  name: string,
): Promise<boolean> {
  const row = await database
    .selectFrom("api_key")
    .select("id")
    .where("account_id", "=", accountId)
    .where("name", "=", name)
    .executeTakeFirst();
  return row !== undefined;
}
