// Holds that are open now, the oldest first.
import type { Operator } from "../../identity/caller.ts";
import { readUsernames } from "../../identity/queries.ts";
import { listHolds } from "../../quota/history/queries.ts";
import type { InputOf } from "../call.ts";
import { toSeconds } from "../input.ts";
import { accountNamed } from "../named.ts";
import { pageOf, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { LedgerCalls, ListedHolds } from "./contract.ts";

export async function listHoldViews(
  needs: RecordNeeds,
  _operator: Operator,
  { query }: InputOf<LedgerCalls["holds"]>,
): Promise<ListedHolds> {
  const { database, store, ledger, clock } = needs;
  const page = pageOf(query);
  const accountId = await accountNamed(needs, query.account);
  const { kind } = query;
  await ledger.settled();
  await store.applied();
  const filter = { ...(accountId !== null && { accountId }), ...(kind && { kind }) };
  const { items, total, micros } = await listHolds(database, filter, page);
  const names = await readUsernames(database, [...new Set(items.map((row) => row.account_id))]);
  const nowMs = clock.nowMs();
  const views = items.map((row) => ({
    id: row.id,
    kind: row.kind,
    account: names.get(row.account_id) ?? row.account_id,
    key_id: row.key_id,
    group: row.group_name,
    model: row.model,
    micros: row.micros,
    price: row.price,
    created_at: toSeconds(row.created_at_ms),
    age_seconds: Math.max(0, Math.floor((nowMs - row.created_at_ms) / 1000)),
  }));
  return { ...toListed(page, views, total), micros };
}
