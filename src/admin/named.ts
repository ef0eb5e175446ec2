// Filters by account, key or channel, each named by its id or by its name. People type names; pages
// link to one another by ids.
import { GatewayError, invalid } from "../core/errors.ts";
import type { AccountId, KeyId } from "../core/ids.ts";
import type { QueryEntry } from "../core/reference-entry.ts";
import { text } from "../core/schema-words.ts";
import {
  findAccount,
  findAccountByName,
  findEvenDeleted,
  findKeyOwner,
  findKeysNamed,
  type AccountRow,
} from "../identity/queries.ts";
import type { Database } from "../store/database.ts";
import { isId } from "./input.ts";
import type { RecordNeeds } from "./record-needs.ts";

export const byAccount: QueryEntry = {
  account: { schema: text(), description: "By user name or id." },
};
export const byKey: QueryEntry = { key: { schema: text(), description: "By id or name." } };
export const byChannel: QueryEntry = { channel: { schema: text(), description: "By name or id." } };

/** One that is there. */
export async function findNamedAccount(
  database: Database,
  named: string,
): Promise<AccountRow | null> {
  const byId = isId(named, "acc_") ? await findAccount(database, named as AccountId) : null;
  return byId ?? (await findAccountByName(database, named));
}

/** Also of one that was deleted, by its id: what it did is still on record. */
export async function readAccountFilter(
  { database }: Pick<RecordNeeds, "database">,
  query: URLSearchParams,
  param = "account",
): Promise<AccountId | null> {
  const named = query.get(param);
  if (!named) return null;
  const byId = isId(named, "acc_") ? await findEvenDeleted(database, named as AccountId) : null;
  const account = byId ?? (await findAccountByName(database, named));
  if (!account) throw new GatewayError("not_found", { param });
  return account.id;
}

export interface Whose {
  accountId?: AccountId;
  keyId?: KeyId;
}

/** Account and key to filter by, a key with its owner: the rows of one account are found fast. */
export async function readWhose(
  { database }: Pick<RecordNeeds, "database">,
  query: URLSearchParams,
): Promise<Whose> {
  const accountId = await readAccountFilter({ database }, query);
  const keyId = await readKey(database, query, accountId);
  if (keyId === null) return accountId === null ? {} : { accountId };
  const owner = accountId ?? (await findKeyOwner(database, keyId));
  return { keyId, ...(owner !== null && { accountId: owner }) };
}

/** Whatever is asked for, only of this account. */
export async function readOwnWhose(
  { database }: Pick<RecordNeeds, "database">,
  accountId: AccountId,
  query: URLSearchParams,
): Promise<Whose> {
  const keyId = await readKey(database, query, accountId);
  return { accountId, ...(keyId !== null && { keyId }) };
}

async function readKey(
  database: Database,
  query: URLSearchParams,
  accountId: AccountId | null,
): Promise<KeyId | null> {
  const named = query.get("key");
  if (!named) return null;
  if (isId(named, "key_")) return named as KeyId;
  const all = await findKeysNamed(database, named, accountId);
  const alive = all.filter(({ deleted_at_ms: at }) => at === null);
  const [one, another] = alive.length > 0 ? alive : all;
  // A key that never existed has no rows, like a model that nobody asked for.
  if (!one) return named as KeyId;
  if (another) throw invalid("key", "is the name of several keys; say the id of one of them");
  return one.id;
}

/** A channel that is gone is known by its id alone. */
export function readChannel(
  { channels }: Pick<RecordNeeds, "channels">,
  query: URLSearchParams,
): string | null {
  const named = query.get("channel");
  if (!named) return null;
  const channel = channels.all.find(({ settings }) => settings.name === named);
  return channel?.settings.id ?? named;
}
