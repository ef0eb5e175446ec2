// The audit log as admins read it.
import type { Operator } from "../../identity/caller.ts";
import type { InputOf, QueryOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds } from "../input.ts";
import { spanOf } from "../span.ts";
import type { Database } from "../../store/database.ts";
import { accountNamed } from "../named.ts";
import { pageOf, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { auditFilter, AuditCalls, AuditView } from "./contract.ts";
import { namesOfTargets, pastNamesOf } from "./targets/queries.ts";
import { listEntries, type AuditFilter, type AuditRow } from "./queries.ts";

/** Entries, newest first; of one `actor`, `action`, `carrier` or target where it is named. */
export async function listAuditViews(
  needs: RecordNeeds,
  _operator: Operator,
  { query }: InputOf<AuditCalls["list"]>,
): Promise<Listed<AuditView>> {
  const page = pageOf(query);
  const filter = await toAuditFilter(needs, query);
  // Credits and their entries come by the journal.
  await needs.store.applied();
  const { items, total } = await listEntries(needs.database, filter, page);
  return toListed(page, await toViews(needs.database, items), total);
}

export async function toAuditFilter(
  needs: RecordNeeds,
  query: QueryOf<typeof auditFilter>,
): Promise<AuditFilter> {
  const { action, carrier, target_kind: targetKind, target_id: targetId } = query;
  const actorId = await accountNamed(needs, query.actor, "actor");
  return {
    ...spanOf(query),
    ...(actorId !== null && { actorId }),
    ...(action && { action }),
    ...(carrier && { carrier }),
    ...(targetKind && { targetKind }),
    ...(targetId && { targetId }),
  };
}

export async function toViews(database: Database, rows: readonly AuditRow[]): Promise<AuditView[]> {
  const ids = [...new Set(rows.map(({ target_id }) => target_id))];
  const names = await namesOfTargets(database, ids);
  const past = await pastNamesOf(
    database,
    ids.filter((id) => !names.has(id)),
  );
  return rows.map((row) =>
    toView(row, names.get(row.target_id) ?? past.get(row.target_id) ?? null),
  );
}

export function toView(row: AuditRow, target_name: string | null): AuditView {
  return {
    id: row.id,
    at: toSeconds(row.at_ms),
    actor: row.actor_name,
    actor_id: row.actor_id,
    actor_role: row.actor_role,
    carrier: row.carrier,
    ip: row.ip,
    action: row.action,
    target_kind: row.target_kind,
    target_id: row.target_id,
    target_name,
    changes: JSON.parse(row.changes),
  };
}
