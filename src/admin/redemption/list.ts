// Lists codes for credit.
import type { Operator } from "../../identity/caller.ts";
import type { Listed, RedemptionView } from "../contract.ts";
import { readPage, toListed } from "../page.ts";
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
  await store.applied();
  const { items, total } = await listRedemptions(database, page);
  const nowMs = clock.nowMs();
  return toListed(
    page,
    items.map((row) => toView(row, nowMs)),
    total,
  );
}
