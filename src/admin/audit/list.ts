// The audit log as admins read it.
import { invalid } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import type { AuditView, Listed } from "../contract.ts";
import { toSeconds } from "../input.ts";
import { readMomentMs } from "../moments.ts";
import { readAccountFilter } from "../named.ts";
import { readPage, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import { listEntries, type AuditFilter, type AuditRow } from "./queries.ts";

const carriers: readonly AuditRow["carrier"][] = ["session", "token", "visitor", "cli", "config"];

/** What was done, newest first; of one `actor`, `action`, `carrier` or target where it is named. */
export async function listAuditViews(
  needs: RecordNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<AuditView>> {
  const page = readPage(query);
  const filter = await readAuditFilter(needs, query);
  // Credits and their entries come by the journal.
  await needs.store.applied();
  const { items, total } = await listEntries(needs.database, filter, page);
  return toListed(page, items.map(toView), total);
}

export async function readAuditFilter(
  needs: RecordNeeds,
  query: URLSearchParams,
): Promise<AuditFilter> {
  const named = (name: string) => query.get(name) || undefined;
  const [action, carrier] = [named("action"), named("carrier")];
  const [targetKind, targetId] = [named("target_kind"), named("target_id")];
  const known = carriers.find((name) => name === carrier);
  if (carrier !== undefined && known === undefined) {
    throw invalid("carrier", `must be one of ${carriers.join(", ")}`);
  }
  const actorId = await readAccountFilter(needs, query, "actor");
  const [fromMs, toMs] = [readMomentMs(query, "from"), readMomentMs(query, "to")];
  return {
    ...(actorId !== null && { actorId }),
    ...(action !== undefined && { action }),
    ...(known !== undefined && { carrier: known }),
    ...(targetKind !== undefined && { targetKind }),
    ...(targetId !== undefined && { targetId }),
    ...(fromMs !== null && { fromMs }),
    ...(toMs !== null && { toMs }),
  };
}

export function toView(row: AuditRow): AuditView {
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
    changes: JSON.parse(row.changes),
  };
}
