// The audit log in the database: entries are added and read, and the database refuses all else.
import type { AccountId } from "../../core/ids.ts";
import type { Database } from "../../store/database.ts";
import type { AuditEntryTable } from "../../store/schema.ts";
import { selectPage, type Page, type PageOfRows } from "../../store/select-page.ts";
import { TableStep } from "../../store/step.ts";

export type AuditRow = AuditEntryTable;

/** For an entry that is written along with money. */
export const auditEntryStep = new TableStep({
  list: "auditEntries",
  table: "audit_entry",
  cells: (row) => [
    row.id,
    row.at_ms,
    row.actor_id,
    row.actor_name,
    row.actor_role,
    row.carrier,
    row.ip,
    row.action,
    row.target_kind,
    row.target_id,
    row.changes,
  ],
  action: { kind: "insert" },
});

export function insertOfEntry(database: Database, row: AuditRow) {
  return database.insertInto("audit_entry").values(row);
}

export interface AuditFilter {
  actorId?: AccountId;
  action?: string;
  carrier?: AuditRow["carrier"];
  targetKind?: string;
  targetId?: string;
  fromMs?: number;
  toMs?: number;
}

/** Newest first. */
export async function listEntries(
  database: Database,
  filter: AuditFilter,
  page: Page,
): Promise<PageOfRows<AuditRow>> {
  const matching = select(database, filter);
  return await selectPage(matching.selectAll().orderBy("id", "desc"), matching, page);
}

/** The next of them, newest first: what comes before the id, or all. */
export async function listEntriesBefore(
  database: Database,
  filter: AuditFilter,
  { id, limit }: { id: string | null; limit: number },
): Promise<AuditRow[]> {
  const matching = select(database, filter).selectAll().orderBy("id", "desc").limit(limit);
  return await (id === null ? matching : matching.where("id", "<", id)).execute();
}

function select(database: Database, filter: AuditFilter) {
  let matching = database.selectFrom("audit_entry");
  if (filter.actorId !== undefined) matching = matching.where("actor_id", "=", filter.actorId);
  if (filter.action !== undefined) matching = matching.where("action", "=", filter.action);
  if (filter.carrier !== undefined) matching = matching.where("carrier", "=", filter.carrier);
  if (filter.targetKind !== undefined) {
    matching = matching.where("target_kind", "=", filter.targetKind);
  }
  if (filter.targetId !== undefined) matching = matching.where("target_id", "=", filter.targetId);
  if (filter.fromMs !== undefined) matching = matching.where("at_ms", ">=", filter.fromMs);
  if (filter.toMs !== undefined) matching = matching.where("at_ms", "<", filter.toMs);
  return matching;
}
