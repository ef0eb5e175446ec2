// One callback whole: what it tells, and how each try went.
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { findDelivery } from "../../tasks/webhooks/queries.ts";
import type { WebhookTry } from "../../tasks/webhooks/webhooks.ts";
import type { DeliveryDetail, OwnDeliveryDetail, WebhookTryView } from "./contract.ts";
import { existing, toSeconds } from "../input.ts";
import { toOwnDeliveryView, toView } from "./list.ts";
import type { CallbackNeeds } from "./needs.ts";

export async function showDelivery(
  needs: CallbackNeeds,
  _operator: Operator,
  { id }: { id: string },
): Promise<DeliveryDetail> {
  const row = await findRow(needs, id, null);
  return { ...toView(row), ...detailsOf(row) };
}

/** Another account's is not there. */
export async function showOwnDelivery(
  needs: CallbackNeeds,
  { accountId }: Operator,
  { id }: { id: string },
): Promise<OwnDeliveryDetail> {
  const row = await findRow(needs, id, accountId);
  return { ...toOwnDeliveryView(row), ...detailsOf(row) };
}

export async function findRow({ noting }: CallbackNeeds, id: string, ownerId: AccountId | null) {
  await noting.store.applied();
  return existing(await findDelivery(noting.database, id, ownerId));
}

function detailsOf({ id, body, tries }: { id: string; body: string; tries: string }) {
  const known: WebhookTry[] = JSON.parse(tries);
  const headers = { "content-type": "application/json", "webhook-id": id };
  return { body, headers, tries: known.map(toTryView) };
}

export function toTryView({ atMs, tookMs, status, error }: WebhookTry): WebhookTryView {
  return { at: toSeconds(atMs), took_ms: tookMs, status, error };
}
