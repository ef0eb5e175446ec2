// Accounts and keys as they are searched: by the beginning of a name, by status and by group.
import type { AccountId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import { beginsWith } from "../../store/begins-with.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";
import {
  selectAccounts,
  selectKeys,
  type AccountRow,
  type ApiKeyRow,
  type ListedAccount,
  type ListedKey,
} from "../queries.ts";

interface AccountFilter {
  /** How its name begins, in any capitals. */
  prefix?: string;
  status?: AccountRow["status"];
  group?: string;
  role?: AccountRow["role"];
}

/** Newest first. */
export async function listAccounts(
  database: Database,
  filter: AccountFilter,
  page: Page,
): Promise<PageOfRows<ListedAccount>> {
  const { prefix, status, group, role } = filter;
  let rows = selectAccounts(database)
    .orderBy("created_at_ms", "desc")
    .orderBy("account.id", "desc");
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
    rows = rows.where("account.role", "=", role);
    matching = matching.where("account.role", "=", role);
  }
  return await selectPage(rows, matching, page);
}

interface KeyFilter {
  accountId?: AccountId;
  prefix?: string;
  status?: ApiKeyRow["status"];
  group?: string;
}

/** Newest first, without those that were revoked. */
export async function listKeys(
  database: Database,
  filter: KeyFilter,
  page: Page,
): Promise<PageOfRows<ListedKey>> {
  const { accountId, prefix, status, group } = filter;
  let rows = selectKeys(database)
    .orderBy("api_key.created_at_ms", "desc")
    .orderBy("api_key.id", "desc");
  let matching = database
    .selectFrom("api_key")
    .where("deleted_at_ms", "is", null)
    .where("session_id", "is", null);
  if (accountId !== undefined) {
    rows = rows.where("api_key.account_id", "=", accountId);
    matching = matching.where("api_key.account_id", "=", accountId);
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
  return await selectPage(rows, matching, page);
}
