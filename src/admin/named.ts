// Filters by account, key or channel, each named by its id or by its name. People type names; pages
// link to one another by ids.
import { GatewayError, invalid } from "../core/errors.ts";
import type { AccountId, KeyId } from "../core/ids.ts";
import {
  findAccount,
  findAccountByName,
  findEvenDeleted,
  findKeyOwner,
  findKeysNamed,
  type AccountRow,
} from "../identity/queries.ts";
import type { Operator } from "../identity/caller.ts";
import { readKeyIdsOf } from "../identity/organisations/queries.ts";
import type { Database } from "../store/database.ts";
import { isId } from "./input.ts";
import type { RecordNeeds } from "./record-needs.ts";

/** One that is there. */
export async function findNamedAccount(
  database: Database,
  named: string,
): Promise<AccountRow | null> {
  const byId = isId(named, "acc_") ? await findAccount(database, named as AccountId) : null;
  return byId ?? (await findAccountByName(database, named));
}

/** Also of one that was deleted, by its id: its deeds are still on record. */
export async function accountNamed(
  { database }: Pick<RecordNeeds, "database">,
  named: string | undefined,
  param = "account",
): Promise<AccountId | null> {
  if (!named) return null;
  const byId = isId(named, "acc_") ? await findEvenDeleted(database, named as AccountId) : null;
  const account = byId ?? (await findAccountByName(database, named));
  if (!account) throw new GatewayError("not_found", { param });
  return account.id;
}

export interface Whose {
  accountId?: AccountId;
  /** Any of these; never empty. */
  keyIds?: readonly KeyId[];
}

/** Matches no row, since no key has it. */
const noKey = "" as KeyId;

/** Account and key to filter by, a key with its owner: the rows of one account are found fast. */
export async function whoseNamed(
  { database }: Pick<RecordNeeds, "database">,
  { account, key }: { account?: string; key?: string },
): Promise<Whose> {
  const accountId = await accountNamed({ database }, account);
  const keyId = await keyNamed(database, key, accountId);
  if (keyId === null) return accountId === null ? {} : { accountId };
  const owner = accountId ?? (await findKeyOwner(database, keyId));
  return { keyIds: [keyId], ...(owner !== null && { accountId: owner }) };
}

/** Restrict any query to this account, and of an organisation's member to the keys it made. */
export async function ownWhoseNamed(
  { database }: Pick<RecordNeeds, "database">,
  { accountId, seat }: Pick<Operator, "accountId" | "seat">,
  { key }: { key?: string },
): Promise<Whose> {
  const keyId = await keyNamed(database, key, accountId);
  if (seat?.role !== "member") return { accountId, ...(keyId !== null && { keyIds: [keyId] }) };
  const own = await readKeyIdsOf(database, accountId, { makerId: seat.personId });
  const keyIds = keyId === null ? own : own.filter((id) => id === keyId);
  return { accountId, keyIds: keyIds.length > 0 ? keyIds : [noKey] };
}

async function keyNamed(
  database: Database,
  named: string | undefined,
  accountId: AccountId | null,
): Promise<KeyId | null> {
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
export function channelNamed(
  { channels }: Pick<RecordNeeds, "channels">,
  named: string | undefined,
): string | null {
  if (!named) return null;
  const channel = channels.all.find(({ settings }) => settings.name === named);
  return channel?.settings.id ?? named;
}
