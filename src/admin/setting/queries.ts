// Settings of pages in the database.
import { isObject, type Json } from "../../core/json.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Seal, TwofoldSeal } from "../../core/seal.ts";
import { redactValue } from "../../config/redact.ts";
import type { Database } from "../../store/database.ts";

interface SettingTable {
  name: string;
  value: string | null;
  previous: string | null;
  account_id: AccountId | null;
  changed_at_ms: number;
}

export interface SettingRow {
  name: string;
  /** Undefined where no page states it any more. */
  value: Json | undefined;
  previous: Json | undefined;
  /** The row cannot be opened: its secret is another one. */
  isUnreadable: boolean;
  accountId: AccountId | null;
  /** Name of who changed it last; null where that account is gone. */
  by: string | null;
  changedAtMs: number;
}

type ChangedSetting = Pick<SettingRow, "name" | "value" | "previous" | "accountId" | "changedAtMs">;

const withSettings = (database: Database) => database.withTables<{ setting: SettingTable }>();
const sealed = "sealed:";

/** Settings, the one that was changed first before the others. */
export async function readSettingRows(database: Database, seal: Seal): Promise<SettingRow[]> {
  const rows = await withSettings(database)
    .selectFrom("setting")
    .leftJoin("account", "account.id", "setting.account_id")
    .selectAll("setting")
    .select(["account.username", "account.deleted_at_ms"])
    .orderBy("changed_at_ms")
    .orderBy("name")
    .execute();
  return rows.map(({ name, value, previous, ...row }) => ({
    name,
    ...openBoth(seal, name, { value, previous }),
    accountId: row.account_id,
    by: row.deleted_at_ms === null ? row.username : null,
    changedAtMs: row.changed_at_ms,
  }));
}

/** The row as it is after the change. */
export function upsertOfSetting(database: Database, seal: Seal, changed: ChangedSetting) {
  const { name, value, previous, accountId, changedAtMs } = changed;
  const row: Omit<SettingTable, "name"> = {
    value: closeValue(seal, name, value),
    previous: closeValue(seal, name, previous),
    account_id: accountId,
    changed_at_ms: changedAtMs,
  };
  return withSettings(database)
    .insertInto("setting")
    .values({ name, ...row })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row));
}

type Both = Pick<SettingRow, "value" | "previous" | "isUnreadable">;

function openBoth(seal: Seal, name: string, row: Pick<SettingTable, "value" | "previous">): Both {
  const value = openValue(seal, name, row.value);
  const previous = openValue(seal, name, row.previous);
  return { value: value.json, previous: previous.json, isUnreadable: !value.isOpen };
}

function openValue(seal: Seal, name: string, text: string | null) {
  if (text === null) return { json: undefined, isOpen: true };
  try {
    const plain = text.startsWith(sealed) ? seal.open(text.slice(sealed.length), name) : text;
    const json: Json = JSON.parse(plain);
    return { json, isOpen: true };
  } catch {
    return { json: undefined, isOpen: false };
  }
}

/** A stored value under the present secret; null where it is already, or in clear. */
export function renewValue(seal: TwofoldSeal, name: string, text: string): string | null {
  if (!text.startsWith(sealed)) return null;
  const renewed = seal.renew(text.slice(sealed.length), name);
  return renewed === null ? null : `${sealed}${renewed}`;
}

/** A secret that is not shown is not written in clear either. */
function closeValue(seal: Seal, name: string, value: Json | undefined): string | null {
  if (value === undefined) return null;
  const text = JSON.stringify(value);
  const isSecret =
    (isObject(value) || Array.isArray(value)) && text !== JSON.stringify(redactValue(value));
  return isSecret ? `${sealed}${seal.close(text, name)}` : text;
}
