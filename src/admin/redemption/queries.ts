// Codes for credit. That one was redeemed is written by the ledger, together with the money.
import type { RedemptionId } from "../../core/ids.ts";
import { beginsWith } from "../../store/begins-with.ts";
import { commitTogether, type Database } from "../../store/database.ts";
import type { AccountTable, RedemptionTable } from "../../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";
import { TableStep } from "../../store/step.ts";
import type { Store } from "../../store/store.ts";

export type RedemptionRow = RedemptionTable;
export type ListedRedemption = RedemptionRow & { username: AccountTable["username"] | null };

/** The writer has looked that the code is there and was not used. */
export const redemptionStep = new TableStep({
  list: "redemptions",
  table: "redemption",
  cells: (row) => [row.id, row.redeemed_by, row.redeemed_at_ms],
  action: { kind: "update", key: ["id"], where: "redeemed_at_ms is null" },
});

export async function insertRedemptions(
  database: Database,
  rows: readonly RedemptionRow[],
): Promise<void> {
  await database.insertInto("redemption").values(rows).execute();
}

export async function findRedemption(
  database: Database,
  hash: string,
): Promise<RedemptionRow | null> {
  const row = await database
    .selectFrom("redemption")
    .selectAll()
    .where("hash", "=", hash)
    .executeTakeFirst();
  return row ?? null;
}

export async function readRedemption(
  database: Database,
  id: RedemptionId,
): Promise<RedemptionRow | null> {
  const row = await database
    .selectFrom("redemption")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

interface RedemptionFilter {
  prefix?: string;
  status?: "open" | "expired" | "redeemed";
  /** Moment that decides what has expired. */
  nowMs: number;
}

/** Newest first. */
export async function listRedemptions(
  database: Database,
  filter: RedemptionFilter,
  page: Page,
): Promise<PageOfRows<ListedRedemption>> {
  const matching = select(database, filter);
  const rows = matching
    .leftJoin("account", "account.id", "redemption.redeemed_by")
    .selectAll("redemption")
    .select("account.username")
    .orderBy("redemption.id", "desc");
  return await selectPage(rows, matching, page);
}

/** A conflict when it is not there, or was redeemed. */
export async function deleteRedemption(
  store: Store,
  database: Database,
  id: RedemptionId,
): Promise<void> {
  const query = database
    .deleteFrom("redemption")
    .where("id", "=", id)
    .where("redeemed_at_ms", "is", null);
  await commitTogether(store, [{ query, changes: 1 }]);
}

function select(database: Database, { prefix, status, nowMs }: RedemptionFilter) {
  let matching = database.selectFrom("redemption");
  if (prefix !== undefined) matching = matching.where(beginsWith("redemption.name", prefix));
  if (status === undefined) return matching;
  const isUsed = status === "redeemed" ? "is not" : "is";
  matching = matching.where("redemption.redeemed_at_ms", isUsed, null);
  if (status === "expired") return matching.where("redemption.expires_at_ms", "<=", nowMs);
  if (status === "redeemed") return matching;
  return matching.where((row) =>
    row.or([
      row("redemption.expires_at_ms", "is", null),
      row("redemption.expires_at_ms", ">", nowMs),
    ]),
  );
}
