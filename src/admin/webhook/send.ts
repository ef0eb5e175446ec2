// Sends a callback again, or one that is only a test.
import { invalid } from "../../core/errors.ts";
import type { AccountId } from "../../core/ids.ts";
import type { Operator } from "../../identity/caller.ts";
import { makeDue } from "../../tasks/webhooks/queries.ts";
import { noting } from "../audit/entry.ts";
import type { InputOf } from "../call.ts";
import type {
  DeliveryDetail,
  OwnDeliveryDetail,
  WebhookCalls,
  WebhookTestView,
} from "./contract.ts";
import type { CallbackNeeds } from "./needs.ts";
import { findRow, showDelivery, showOwnDelivery, toTryView } from "./show.ts";

/** It is due at once, with as many tries as a new one has. */
export async function replayDelivery(
  needs: CallbackNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<DeliveryDetail> {
  await replay(needs, operator, { id, ownerId: null });
  return await showDelivery(needs, operator, { id });
}

export async function replayOwnDelivery(
  needs: CallbackNeeds,
  operator: Operator,
  { id }: { id: string },
): Promise<OwnDeliveryDetail> {
  await replay(needs, operator, { id, ownerId: operator.accountId });
  return await showOwnDelivery(needs, operator, { id });
}

async function replay(
  needs: CallbackNeeds,
  operator: Operator,
  { id, ownerId }: { id: string; ownerId: AccountId | null },
): Promise<void> {
  const row = await findRow(needs, id, ownerId);
  const changes = { task: row.task_id, account: row.username };
  const note = { action: "webhook.replay", target: id, changes } as const;
  const { database } = noting(needs.noting, operator, note);
  await makeDue(database, id, needs.noting.clock.nowMs());
  needs.webhooks.wake();
}

/** Signed as one's own callbacks are, sent once, and answered with what came of it. */
export async function testWebhook(
  needs: CallbackNeeds,
  { accountId }: Operator,
  { body }: InputOf<WebhookCalls["test"]>,
): Promise<WebhookTestView> {
  const url = needs.acceptsUrl(body.url);
  if (url === null) throw invalid("url", "must be a public http or https address");
  const { ids, clock } = needs.noting;
  const id = ids.of("wht_");
  const event = { type: "webhook.test", timestamp: new Date(clock.nowMs()).toISOString() };
  const text = JSON.stringify({ ...event, data: { id } });
  const { headers, ...tested } = await needs.webhooks.test(accountId, url, { id, body: text });
  return { ...toTryView(tested), body: text, headers: { ...headers } };
}
