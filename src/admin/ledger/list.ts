// The history of credits: what an account was given and what was taken back.
import { GatewayError } from "../../core/errors.ts";
import type { Operator } from "../../identity/caller.ts";
import { findAccountByName, readUsernames } from "../../identity/queries.ts";
import { listGrants } from "../../quota/history/queries.ts";
import type { EntryTable } from "../../store/schema.ts";
import type { LedgerView, Listed, OwnLedgerView } from "../contract.ts";
import { toSeconds } from "../input.ts";
import { readMomentMs } from "../moments.ts";
import { readPage, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";

export async function listLedgerViews(
  needs: RecordNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<LedgerView>> {
  const { database, store } = needs;
  const page = readPage(query);
  const username = query.get("account");
  const account = username ? await findAccountByName(database, username) : null;
  if (username && !account) throw new GatewayError("not_found", { param: "account" });
  await store.applied();
  const filter = { ...readSpan(query), ...(account && { accountId: account.id }) };
  const { items, total } = await listGrants(database, filter, page);
  const names = await readUsernames(database, [...new Set(items.map((row) => row.account_id))]);
  const views = items.map((row) => ({
    ...toOwnView(row),
    account: names.get(row.account_id) ?? row.account_id,
    actor: row.actor,
  }));
  return toListed(page, views, total);
}

/** One's own, without who booked it. */
export async function listOwnLedgerViews(
  { database, store }: Pick<RecordNeeds, "database" | "store">,
  { accountId }: Pick<Operator, "accountId">,
  query: URLSearchParams,
): Promise<Listed<OwnLedgerView>> {
  const page = readPage(query);
  await store.applied();
  const filter = { ...readSpan(query), accountId };
  const { items, total } = await listGrants(database, filter, page);
  return toListed(page, items.map(toOwnView), total);
}

function readSpan(query: URLSearchParams): { fromMs?: number; toMs?: number } {
  const [fromMs, toMs] = [readMomentMs(query, "from"), readMomentMs(query, "to")];
  return { ...(fromMs !== null && { fromMs }), ...(toMs !== null && { toMs }) };
}

export function toOwnView(row: EntryTable): OwnLedgerView {
  return {
    id: row.id.replace(/^credit_/, ""),
    kind: "grant",
    at: toSeconds(row.at_ms),
    micros: row.micros,
    reason: row.reason,
  };
}
