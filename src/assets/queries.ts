// Assets in the database.
import type { AccountId, AssetId } from "../core/ids.ts";
import type { Database } from "../store/database.ts";
import type { AssetTable } from "../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../store/select-page.ts";

export async function saveAsset(database: Database, row: AssetTable): Promise<void> {
  await database.insertInto("asset").values(row).execute();
}

/** Another account's is not there. */
export async function findAsset(
  database: Database,
  accountId: AccountId,
  id: string,
): Promise<AssetTable | null> {
  const row = await database
    .selectFrom("asset")
    .selectAll()
    .where("id", "=", id as AssetId)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return row ?? null;
}

/** False when it was not there. */
export async function deleteAsset(
  database: Database,
  accountId: AccountId,
  id: string,
): Promise<boolean> {
  const rows = await database
    .deleteFrom("asset")
    .where("id", "=", id as AssetId)
    .where("account_id", "=", accountId)
    .returning("id")
    .execute();
  return rows.length > 0;
}

export async function listProcessing(database: Database): Promise<AssetTable[]> {
  return await database
    .selectFrom("asset")
    .selectAll()
    .where("status", "=", "processing")
    .orderBy("id")
    .execute();
}

export async function savePlace(
  database: Database,
  id: AssetId,
  place: Pick<AssetTable, "channel_id" | "key_digest" | "upstream_reference">,
): Promise<void> {
  await database.updateTable("asset").set(place).where("id", "=", id).execute();
}

/** A verdict stays as it is. */
export async function saveVerdict(
  database: Database,
  id: AssetId,
  verdict: Pick<AssetTable, "status" | "error" | "updated_at_ms">,
): Promise<void> {
  await database
    .updateTable("asset")
    .set(verdict)
    .where("id", "=", id)
    .where("status", "=", "processing")
    .execute();
}

export interface AssetFilter {
  accountId?: AccountId;
  id?: string;
  kind?: AssetTable["kind"];
  status?: AssetTable["status"];
}

export type AssetOverview = AssetTable & { username: string };

/** Everyone's, the newest first. */
export async function listAssets(
  database: Database,
  { accountId, id, kind, status }: AssetFilter,
  page: Page,
): Promise<PageOfRows<AssetOverview>> {
  let matching = database.selectFrom("asset");
  if (accountId !== undefined) matching = matching.where("asset.account_id", "=", accountId);
  if (id !== undefined) matching = matching.where("asset.id", "=", id as AssetId);
  if (kind !== undefined) matching = matching.where("asset.kind", "=", kind);
  if (status !== undefined) matching = matching.where("asset.status", "=", status);
  const rows = matching
    .innerJoin("account", "account.id", "asset.account_id")
    .selectAll("asset")
    .select("account.username")
    .orderBy("asset.id", "desc");
  return await selectPage(rows, matching, page);
}
