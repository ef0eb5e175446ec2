// Accounts and keys as they are searched: by the beginning of a name, by status and by group.
import { sql, type RawBuilder } from "kysely";
import type { AccountId, KeyId, ProjectId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import { beginsWith } from "../../store/begins-with.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";
import { roleColumnsOf } from "../roles/rights.ts";
import {
  selectAccounts,
  selectKeys,
  type AccountRow,
  type ApiKeyRow,
  type ListedAccount,
  type ListedKey,
} from "../queries.ts";

/** Field that orders a list, and the direction. */
interface Order<Field> {
  field: Field;
  isDown: boolean;
}

/** Orders by the names of their fields; money is as it is written. */
const accountOrders = {
  username: sql.raw("lower(account.username)"),
  created_at: sql.raw("account.created_at_ms"),
  quota_micros: sql.raw("ledger_account.available_micros"),
  used_micros: sql.raw("ledger_account.spent_micros"),
} satisfies Record<string, RawBuilder<unknown>>;
type AccountOrder = Order<keyof typeof accountOrders>;

const keyOrders = {
  name: sql.raw("lower(api_key.name)"),
  created_at: sql.raw("api_key.created_at_ms"),
  used_micros: sql.raw("key_balance.spent_micros"),
  // A key without a limit never runs out; one with a limit of nothing has.
  used_share: sql.raw(
    "case when key_balance.limit_micros is null then -1.0 " +
      "when key_balance.limit_micros = 0 then 1.0 " +
      "else key_balance.spent_micros * 1.0 / key_balance.limit_micros end",
  ),
  // Rows without the event come first, on either engine.
  last_used_at: sql.raw("coalesce(api_key.used_at_ms, 0)"),
} satisfies Record<string, RawBuilder<unknown>>;
type KeyOrder = Order<keyof typeof keyOrders>;

interface AccountFilter {
  /** Beginning of its name, in any capitals. */
  prefix?: string;
  status?: AccountRow["status"];
  group?: string;
  role?: string;
  kind?: AccountRow["kind"];
  order?: AccountOrder;
}

/** Newest first, unless another order is asked for; equals by their ids. */
export async function listAccounts(
  database: Database,
  filter: AccountFilter,
  page: Page,
): Promise<PageOfRows<ListedAccount>> {
  const { prefix, status, group, role, kind, order = newest } = filter;
  const direction = order.isDown ? "desc" : "asc";
  let rows = selectAccounts(database)
    .orderBy(accountOrders[order.field], direction)
    .orderBy("account.id", direction);
  let matching = database.selectFrom("account").where("deleted_at_ms", "is", null);
  if (prefix !== undefined) {
    rows = rows.where(beginsWith("account.username", prefix));
    matching = matching.where(beginsWith("account.username", prefix));
  }
  if (status !== undefined) {
    rows = rows.where("account.status", "=", status);
    matching = matching.where("account.status", "=", status);
  }
  if (group !== undefined) {
    rows = rows.where("account.group_name", "=", group);
    matching = matching.where("account.group_name", "=", group);
  }
  if (role !== undefined) {
    const { role: base, staff_role: staff } = roleColumnsOf(role);
    const is = staff === null ? "is" : "=";
    rows = rows.where("account.role", "=", base).where("account.staff_role", is, staff);
    matching = matching.where("account.role", "=", base).where("account.staff_role", is, staff);
  }
  if (kind !== undefined) {
    rows = rows.where("account.kind", "=", kind);
    matching = matching.where("account.kind", "=", kind);
  }
  return await selectPage(rows, matching, page);
}

const newest = { field: "created_at", isDown: true } as const;

interface KeyFilter {
  accountId?: AccountId;
  makerId?: AccountId;
  projectId?: ProjectId;
  prefix?: string;
  status?: ApiKeyRow["status"];
  group?: string;
  /** Digest of its text, or of the one before. */
  digest?: string;
  order?: KeyOrder;
}

/** Newest first unless another order is asked for, without those that were revoked. */
export async function listKeys(
  database: Database,
  filter: KeyFilter,
  page: Page,
): Promise<PageOfRows<ListedKey>> {
  const { accountId, makerId, projectId, prefix, status, group, digest, order = newest } = filter;
  const direction = order.isDown ? "desc" : "asc";
  let rows = selectKeys(database)
    .orderBy(keyOrders[order.field], direction)
    .orderBy("api_key.id", direction);
  let matching = database
    .selectFrom("api_key")
    .where("deleted_at_ms", "is", null)
    .where("session_id", "is", null);
  if (accountId !== undefined) {
    rows = rows.where("api_key.account_id", "=", accountId);
    matching = matching.where("api_key.account_id", "=", accountId);
  }
  if (makerId !== undefined) {
    rows = rows.where("api_key.maker_id", "=", makerId);
    matching = matching.where("api_key.maker_id", "=", makerId);
  }
  if (projectId !== undefined) {
    rows = rows.where("api_key.project_id", "=", projectId);
    matching = matching.where("api_key.project_id", "=", projectId);
  }
  if (prefix !== undefined) {
    rows = rows.where(beginsWith("api_key.name", prefix));
    matching = matching.where(beginsWith("api_key.name", prefix));
  }
  if (status !== undefined) {
    rows = rows.where("api_key.status", "=", status);
    matching = matching.where("api_key.status", "=", status);
  }
  if (group !== undefined) {
    rows = rows.where("api_key.group_name", "=", group);
    matching = matching.where("api_key.group_name", "=", group);
  }
  if (digest !== undefined) {
    const isOf = sql<boolean>`(api_key.hash = ${digest} or api_key.previous_hash = ${digest})`;
    rows = rows.where(isOf);
    matching = matching.where(isOf);
  }
  return await selectPage(rows, matching, page);
}

/** User names of the accounts that pay for keys, revoked keys too. */
export async function readKeyAccounts(
  database: Database,
  ids: readonly KeyId[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database
    .selectFrom("api_key")
    .innerJoin("account", "account.id", "api_key.account_id")
    .select(["api_key.id", "account.username"])
    .where("api_key.id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, username }) => [id, username]));
}
