// Lists codes for credit.
import type { Operator } from "../../identity/caller.ts";
import type { Listed, RedemptionView } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
import { readPrefix, readWord } from "../search.ts";
import { redemptionStatuses } from "./contract.ts";
import type { RedemptionNeeds } from "./needs.ts";
import { listRedemptions } from "./queries.ts";
import { toView } from "./view.ts";

/** Everyone's, redeemed and expired ones included. */
export async function listRedemptionViews(
  { store, database, clock }: RedemptionNeeds,
  _operator: Operator,
  query: URLSearchParams,
): Promise<Listed<RedemptionView>> {
  const page = readPage(query);
  const nowMs = clock.nowMs();
  const status = readWord(query, "status", redemptionStatuses);
  const filter = { nowMs, ...readPrefix(query), ...(status && { status }) };
  await store.applied();
  const { items, total } = await listRedemptions(database, filter, page);
  return toListed(
    page,
    items.map((row) => toView(row, nowMs)),
    total,
  );
}
