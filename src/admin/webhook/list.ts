// Lists callbacks and how they went.
import type { TaskId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { listDeliveries, type ListedDelivery } from "../../tasks/webhooks/queries.ts";
import type { InputOf } from "../call.ts";
import type { Listed } from "../contract/reply.ts";
import { toSeconds, toSecondsOrNull } from "../input.ts";
import { pageOf, toListed } from "../page.ts";
import type { RecordNeeds } from "../record-needs.ts";
import type { DeliveryCalls, OwnDeliveryView, WebhookDeliveryView } from "./contract.ts";

/** Deliveries to callbacks, newest first; of one `task` where it is named. */
export async function listDeliveryViews(
  { database, store }: RecordNeeds,
  _operator: Operator,
  { query }: InputOf<DeliveryCalls["list"]>,
): Promise<Listed<WebhookDeliveryView>> {
  const page = pageOf(query);
  const taskId = (query.task || null) as TaskId | null;
  await store.applied();
  const { items, total } = await listDeliveries(database, { taskId, accountId: null }, page);
  return toListed(page, items.map(toView), total);
}

/** Deliveries to one's own callbacks. */
export async function listOwnDeliveryViews(
  { database, store }: RecordNeeds,
  { accountId }: Operator,
  { query }: InputOf<DeliveryCalls["listOwn"]>,
): Promise<Listed<OwnDeliveryView>> {
  const page = pageOf(query);
  const taskId = (query.task || null) as TaskId | null;
  await store.applied();
  const { items, total } = await listDeliveries(database, { taskId, accountId }, page);
  return toListed(page, items.map(toOwnDeliveryView), total);
}

export function toView(row: ListedDelivery): WebhookDeliveryView {
  return { ...toOwnDeliveryView(row), account: row.username };
}

export function toOwnDeliveryView(row: ListedDelivery): OwnDeliveryView {
  return {
    id: row.id,
    task_id: row.task_id,
    event: row.event,
    url: row.url,
    attempts: row.attempts,
    status: row.status,
    error: row.error,
    created_at: toSeconds(row.created_at_ms),
    next_attempt_at: toSecondsOrNull(row.next_attempt_at_ms),
    delivered_at: toSecondsOrNull(row.delivered_at_ms),
  };
}
