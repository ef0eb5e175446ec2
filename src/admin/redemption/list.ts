// Lists codes for credit.
import type { Operator } from "../../identity/caller.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { pageOf, toListed } from "../page.ts";
import type { RedemptionCalls, RedemptionView } from "./contract.ts";
import type { RedemptionNeeds } from "./needs.ts";
import { listRedemptions } from "./queries.ts";
import { toView } from "./view.ts";

/** Everyone's, redeemed and expired ones included. */
export async function listRedemptionViews(
  { store, database, clock }: RedemptionNeeds,
  _operator: Operator,
  { query }: InputOf<RedemptionCalls["list"]>,
): Promise<Listed<RedemptionView>> {
  const { q: prefix, status } = query;
  const page = pageOf(query);
  const nowMs = clock.nowMs();
  const filter = { nowMs, ...(prefix && { prefix }), ...(status && { status }) };
  await store.applied();
  const { items, total } = await listRedemptions(database, filter, page);
  return toListed(
    page,
    items.map((row) => toView(row, nowMs)),
    total,
  );
}
